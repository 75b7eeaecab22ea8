#!lua
-- Takes a match over: whoever comes later finds another time, and leaves it alone until then.
-- KEYS: notices, tries, errands, since. All of one shard.
-- ARGV: match id, the time that was found in ms, until when it is taken over in ms.
-- Answers with how often the first notice was tried and the notice itself; or false.
local at = redis.call('ZSCORE', KEYS[3], ARGV[1])
if not at or tonumber(at) ~= tonumber(ARGV[2]) then
  return false
end
local first = redis.call('LINDEX', KEYS[1], 0)
if not first then
  -- It was kept long enough, and has gone with its match.
  redis.call('ZREM', KEYS[3], ARGV[1])
  redis.call('ZREM', KEYS[4], ARGV[1])
  return false
end
redis.call('ZADD', KEYS[3], ARGV[3], ARGV[1])
return { redis.call('GET', KEYS[2]) or '0', first }
