#!lua
-- Makes an outside identity and a player belong together, unless one of them belongs to another.
-- KEYS: the player of the identity, the subject of the player. ARGV: the player, the subject (in hexadecimal).
-- Answers nothing when they belong together, otherwise whose the identity is, or an empty text if the player has another.
local owner = redis.call('GET', KEYS[1])
if owner and owner ~= ARGV[1] then
  return owner
end
local own = redis.call('GET', KEYS[2])
if own and own ~= ARGV[2] then
  return ''
end
-- Written again where it stands already: a retry waits for a replica, too, and WAIT counts writes.
redis.call('SET', KEYS[1], ARGV[1])
redis.call('SET', KEYS[2], ARGV[2])
return false
