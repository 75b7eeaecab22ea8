#!lua
-- The one change of a rematch: compare its version, write.
-- KEYS: rematch, state of the match that is over. Both of one shard.
-- ARGV: expected version (0 for none), new version, bytes, time to live in ms.
-- Answers whether it is done.
if (redis.call('HGET', KEYS[1], 'v') or '0') ~= ARGV[1] or redis.call('EXISTS', KEYS[2]) == 0 then
  return 0
end
redis.call('HSET', KEYS[1], 'v', ARGV[2], 'b', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1
