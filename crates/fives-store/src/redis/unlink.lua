#!lua
-- Takes away what link.lua made. KEYS: the subject of the player. ARGV: what the keys of the issuer's identities begin with; that
-- key is in the slot of the other, whichever it is.
local subject = redis.call('GET', KEYS[1])
if not subject then
  return 0
end
redis.call('DEL', KEYS[1], ARGV[1] .. subject)
return 1
