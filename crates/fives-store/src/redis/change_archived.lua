#!lua
-- Changes what is archived of a match, if it is what the change was made from.
-- KEYS: what is archived of it. ARGV: the match as it was, the match as it shall be. Answers with 1, or 0 if it was another.
if redis.call('HGET', KEYS[1], 'h') ~= ARGV[1] then
  return 0
end
redis.call('HSET', KEYS[1], 'h', ARGV[2])
return 1
