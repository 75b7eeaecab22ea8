#!lua
-- Takes a place in line, unless the player has something there already.
-- KEYS: tickets, order, signs of life, what the player has instead. All of one queue.
-- ARGV: player, ticket, since when it waits, now, the oldest sign of life that counts, the match that is known ('' for none).
-- Answers with what the player has then: a letter (w, c or m), and the ticket or the match.
local instead = redis.call('GET', KEYS[4])
if instead and instead ~= 'l' and instead ~= 'm' .. ARGV[6] then
  return instead
end
redis.call('DEL', KEYS[4])
local ticket = redis.call('HGET', KEYS[1], ARGV[1])
local renewed = tonumber(redis.call('ZSCORE', KEYS[3], ARGV[1]) or '')
if not (ticket and renewed and renewed >= tonumber(ARGV[5])) then
  ticket = ARGV[2]
  redis.call('HSET', KEYS[1], ARGV[1], ticket)
  redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
end
redis.call('ZADD', KEYS[3], ARGV[4], ARGV[1])
return 'w' .. ticket
