#!lua
-- The one commit: compare, write, append, announce.
-- KEYS: state, log, due, open, live; with notices, also notices, errands, since, for each of the two lanes. All of one shard.
-- ARGV: expected cursor ('' where the match must not be there yet), new cursor, revision, snapshot, batch, time to live in ms,
-- when due ('' for not), list ('' for none), match id, place in a list, channel; with notices, also the time in ms, and of
-- each the number of its lane's first key and the notice.
-- Answers with the cursor that is there instead ('' for no match), or false: then it is done.
local was = redis.call('HMGET', KEYS[1], 'cursor', 'due', 'list')
local cursor = was[1] or ''
if cursor ~= ARGV[1] then
  return cursor
end
-- First, because it is the only step that can be refused (an id that is there), and then nothing has happened.
redis.call('XADD', KEYS[2], ARGV[3] .. '-0', 'b', ARGV[5])
redis.call('HSET', KEYS[1], 'cursor', ARGV[2], 'table', ARGV[4], 'due', ARGV[7], 'list', ARGV[8])
redis.call('PEXPIRE', KEYS[1], ARGV[6])
redis.call('PEXPIRE', KEYS[2], ARGV[6])
if (was[2] or '') ~= ARGV[7] then
  if ARGV[7] == '' then
    redis.call('ZREM', KEYS[3], ARGV[9])
  else
    redis.call('ZADD', KEYS[3], ARGV[7], ARGV[9])
  end
end
local list = was[3] or ''
if list ~= ARGV[8] then
  if list == 'open' then
    redis.call('ZREM', KEYS[4], ARGV[10])
  elseif list == 'live' then
    redis.call('ZREM', KEYS[5], ARGV[10])
  end
  if ARGV[8] == 'open' then
    redis.call('ZADD', KEYS[4], 0, ARGV[10])
  elseif ARGV[8] == 'live' then
    redis.call('ZADD', KEYS[5], 0, ARGV[10])
  end
end
if #KEYS > 5 then
  for i = 13, #ARGV, 2 do
    local lane = tonumber(ARGV[i])
    redis.call('RPUSH', KEYS[lane], ARGV[i + 1])
    redis.call('PEXPIRE', KEYS[lane], ARGV[6])
    redis.call('ZADD', KEYS[lane + 1], 'NX', ARGV[12], ARGV[9])
    redis.call('ZADD', KEYS[lane + 2], 'NX', ARGV[12], ARGV[9])
  end
end
redis.call('PUBLISH', ARGV[11], ARGV[1] .. ' ' .. ARGV[5])
return false
