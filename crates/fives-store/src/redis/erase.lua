#!lua
-- Keeps that a person is to be erased, unless that is under way.
-- KEYS: when who is to be carried on with, erasures, marks. ARGV: player, erasure, now in ms, mark.
if redis.call('HSETNX', KEYS[2], ARGV[1], ARGV[2]) == 0 then
  return 0
end
redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
redis.call('ZADD', KEYS[3], ARGV[3], ARGV[4])
return 1
