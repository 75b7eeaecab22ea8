#!lua
-- Archives a match, unless it is archived.
-- KEYS: what is archived of it. ARGV: the match, its record ('' for none), time to live in ms ('' for ever).
-- Answers with 1, or 0 if it was there.
if redis.call('HSETNX', KEYS[1], 'h', ARGV[1]) == 0 then
  return 0
end
if ARGV[2] ~= '' then
  redis.call('HSET', KEYS[1], 'r', ARGV[2])
end
if ARGV[3] ~= '' then
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
return 1
