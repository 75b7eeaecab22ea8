#!lua
-- What there is to see of a queue; first, who has had no sign of life for too long goes.
-- KEYS: tickets, order, signs of life, claims, order of claims, how long waits were. All of one queue.
-- ARGV: the oldest sign of life that counts, the time before which a claim is old, how many tickets, how many claims.
-- Answers with how many wait, how long waits were ('' if nobody knows), tickets and claims.
local gone = redis.call('ZRANGE', KEYS[3], '-inf', '(' .. ARGV[1], 'BYSCORE', 'LIMIT', 0, 1000)
if #gone > 0 then
  redis.call('HDEL', KEYS[1], unpack(gone))
  redis.call('ZREM', KEYS[2], unpack(gone))
  redis.call('ZREM', KEYS[3], unpack(gone))
end
-- So many arguments are no trouble for Lua's stack.
local function values(key, fields)
  local found = {}
  for first = 1, #fields, 1000 do
    local some = redis.call('HMGET', key, unpack(fields, first, math.min(first + 999, #fields)))
    for _, value in ipairs(some) do
      if value then
        table.insert(found, value)
      end
    end
  end
  return found
end
local players = {}
if tonumber(ARGV[3]) > 0 then
  players = redis.call('ZRANGE', KEYS[2], 0, tonumber(ARGV[3]) - 1)
end
local claims = redis.call('ZRANGE', KEYS[5], '-inf', '(' .. ARGV[2], 'BYSCORE', 'LIMIT', 0, ARGV[4])
local waits = redis.call('GET', KEYS[6]) or ''
return { redis.call('ZCARD', KEYS[2]), waits, values(KEYS[1], players), values(KEYS[4], claims) }
