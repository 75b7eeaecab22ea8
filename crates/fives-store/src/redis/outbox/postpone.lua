#!lua
-- Has the first notice of a match tried again later.
-- KEYS: notices, tries, errands. All of one shard.
-- ARGV: match id, what the notice begins with, when in ms, how often it was tried.
-- Answers whether it was the first.
local first = redis.call('LINDEX', KEYS[1], 0)
if not first or string.sub(first, 1, #ARGV[2]) ~= ARGV[2] then
  return 0
end
redis.call('SET', KEYS[2], ARGV[4])
-- Goes when its notices go.
redis.call('PEXPIRE', KEYS[2], math.max(redis.call('PTTL', KEYS[1]), 1))
redis.call('ZADD', KEYS[3], ARGV[3], ARGV[1])
return 1
