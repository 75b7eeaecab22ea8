#!lua
-- Puts another history in the place of a match's own.
-- KEYS: state, log. ARGV: expected cursor, new cursor, snapshot, channel, then every batch from revision 1 on.
-- Answers as a commit does. When it is due and in which list it is do not change.
local cursor = redis.call('HGET', KEYS[1], 'cursor') or ''
if cursor ~= ARGV[1] then
  return cursor
end
local left = redis.call('PTTL', KEYS[1])
redis.call('DEL', KEYS[2])
for i = 5, #ARGV do
  redis.call('XADD', KEYS[2], (i - 4) .. '-0', 'b', ARGV[i])
end
redis.call('HSET', KEYS[1], 'cursor', ARGV[2], 'table', ARGV[3])
if left > 0 then
  redis.call('PEXPIRE', KEYS[2], left)
end
-- Follows on nothing that anybody knows: whoever hears it reads the log, and finds another history.
redis.call('PUBLISH', ARGV[4], ARGV[2] .. ' ')
return false
