#!lua
-- Writes something that changes nothing, so that WAIT has something to wait for: all that was written before comes with it.
-- KEYS: state. ARGV: the cursor that is asked about. Answers whether the match is there.
if redis.call('HGET', KEYS[1], 'cursor') ~= ARGV[1] then
  return 0
end
redis.call('HSET', KEYS[1], 'cursor', ARGV[1])
return 1
