#!lua
-- Takes the first notice of a match out, and keeps it among the dead letters if it is to be buried.
-- KEYS: notices, tries, errands, since; to bury it also dead letters, their times. All of one shard.
-- ARGV: match id, what the notice begins with; to bury it also its name, when in ms, the dead letter, how many are kept.
-- Answers whether it was the first.
local first = redis.call('LINDEX', KEYS[1], 0)
if not first or string.sub(first, 1, #ARGV[2]) ~= ARGV[2] then
  return 0
end
if #KEYS > 4 then
  redis.call('HSET', KEYS[5], ARGV[3], ARGV[5])
  redis.call('ZADD', KEYS[6], ARGV[4], ARGV[3])
  local surplus = redis.call('ZCARD', KEYS[6]) - tonumber(ARGV[6])
  if surplus > 0 then
    local oldest = redis.call('ZPOPMIN', KEYS[6], surplus)
    for i = 1, #oldest, 2 do
      redis.call('HDEL', KEYS[5], oldest[i])
    end
  end
end
redis.call('LPOP', KEYS[1])
redis.call('DEL', KEYS[2])
local next = redis.call('LINDEX', KEYS[1], 0)
if next then
  -- Whoever has taken the match over goes on with it; only since when it waits is another time now.
  redis.call('ZADD', KEYS[4], string.match(next, '^%S+ (%d+) '), ARGV[1])
else
  redis.call('ZREM', KEYS[3], ARGV[1])
  redis.call('ZREM', KEYS[4], ARGV[1])
end
return 1
