#!lua
-- A sign of life for players who wait.
-- KEYS: tickets, signs of life, and for each player what they have instead. All of one queue.
-- ARGV: now, the players.
-- Answers, for each, with what they have: a letter (w, c, m or l), and the ticket or the match; or ''.
local standings = {}
for number = 2, #ARGV do
  local standing = redis.call('GET', KEYS[number + 1])
  if not standing then
    local ticket = redis.call('HGET', KEYS[1], ARGV[number])
    if ticket then
      redis.call('ZADD', KEYS[2], ARGV[1], ARGV[number])
      standing = 'w' .. ticket
    end
  end
  table.insert(standings, standing or '')
end
return standings
