#!lua
-- Makes what lies beside a match follow from it again: what is due, and the lists.
-- KEYS: state, due, open, live. All of one shard.
-- ARGV: the cursor that this follows from, when due ('' for not), list ('' for none), match id, place in a list.
-- Answers with what was not right, '+' and '-' for added and removed; or false, if the match is not at that cursor.
local was = redis.call('HMGET', KEYS[1], 'cursor', 'due', 'list')
if was[1] ~= ARGV[1] then
  return false
end
local repairs = {}
local due = redis.call('ZSCORE', KEYS[2], ARGV[4])
if ARGV[2] == '' then
  if due then
    redis.call('ZREM', KEYS[2], ARGV[4])
    table.insert(repairs, '-due')
  end
elseif not due or tonumber(due) ~= tonumber(ARGV[2]) then
  redis.call('ZADD', KEYS[2], ARGV[2], ARGV[4])
  table.insert(repairs, '+due')
end
for number, list in ipairs({ 'open', 'live' }) do
  local key = KEYS[number + 2]
  local is_there = redis.call('ZSCORE', key, ARGV[5])
  if list == ARGV[3] and not is_there then
    redis.call('ZADD', key, 0, ARGV[5])
    table.insert(repairs, '+' .. list)
  elseif list ~= ARGV[3] and is_there then
    redis.call('ZREM', key, ARGV[5])
    table.insert(repairs, '-' .. list)
  end
end
-- What the next commit goes by.
if was[2] ~= ARGV[2] or was[3] ~= ARGV[3] then
  redis.call('HSET', KEYS[1], 'due', ARGV[2], 'list', ARGV[3])
end
return repairs
