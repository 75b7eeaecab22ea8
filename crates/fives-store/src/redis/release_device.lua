#!lua
-- Forgets a device, if it is still this player's. KEYS: whose device it is. ARGV: player.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
return redis.call('DEL', KEYS[1])
