#!lua
-- Takes away what a player has of a queue, unless that is a claim.
-- KEYS: tickets, order, signs of life, what the player has instead. All of one queue.
-- ARGV: player, for how long it is remembered, in ms.
-- Answers with what the player had: a letter (w, c, m or l), and the ticket or the match; or ''.
local had = redis.call('GET', KEYS[4])
if had and string.sub(had, 1, 1) == 'c' then
  return had
end
local ticket = redis.call('HGET', KEYS[1], ARGV[1])
if not had and not ticket then
  return ''
end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('SET', KEYS[4], 'l', 'PX', ARGV[2])
return had or 'w' .. ticket
