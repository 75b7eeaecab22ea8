#!lua
-- Takes all of these tickets for a match, or none.
-- KEYS: tickets, order, signs of life, claims, order of claims, how long waits were, and for each player what they have instead. All
-- of one queue.
-- ARGV: match, claim, now, the oldest sign of life that counts, how long they waited in ms, then for each player who, and the id of
-- the ticket.
-- Answers whether it is done.
local function of(key)
  return ARGV[2 * (key - 7) + 6], ARGV[2 * (key - 7) + 7]
end
for key = 7, #KEYS do
  local player, id = of(key)
  local ticket = redis.call('HGET', KEYS[1], player)
  local renewed = tonumber(redis.call('ZSCORE', KEYS[3], player) or '')
  if not ticket or string.sub(ticket, 1, 16) ~= id or not renewed or renewed < tonumber(ARGV[4]) then
    return 0
  end
end
for key = 7, #KEYS do
  local player = of(key)
  redis.call('HDEL', KEYS[1], player)
  redis.call('ZREM', KEYS[2], player)
  redis.call('ZREM', KEYS[3], player)
  redis.call('SET', KEYS[key], 'c' .. ARGV[1])
end
redis.call('HSET', KEYS[4], ARGV[1], ARGV[2])
redis.call('ZADD', KEYS[5], ARGV[3], ARGV[1])
-- The newest counts a fifth; after a day of nobody, nobody knows.
local waits, wait = tonumber(redis.call('GET', KEYS[6]) or ''), tonumber(ARGV[5])
redis.call('SET', KEYS[6], string.format('%.0f', waits and (4 * waits + wait) / 5 or wait), 'EX', 86400)
return 1
