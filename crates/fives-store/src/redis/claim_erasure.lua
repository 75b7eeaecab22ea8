#!lua
-- Claims an erasure that waits. KEYS: when who is to be carried on with, erasures. ARGV: now in ms, until when it is claimed.
-- Answers with the erasure, or false.
local found = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, 1)
if not found[1] then
  return false
end
redis.call('ZADD', KEYS[1], ARGV[2], found[1])
return redis.call('HGET', KEYS[2], found[1])
