#!lua
-- Puts a dead letter back, behind what is still to be told of its match.
-- KEYS: notices, errands, since, dead letters, their times. All of one shard.
-- ARGV: match id, its name, now in ms, since when it waits in ms, the notice, how long that is kept in ms.
-- Answers whether there was one.
if redis.call('HDEL', KEYS[4], ARGV[2]) == 0 then
  return 0
end
redis.call('ZREM', KEYS[5], ARGV[2])
redis.call('RPUSH', KEYS[1], ARGV[5])
redis.call('PEXPIRE', KEYS[1], ARGV[6])
redis.call('ZADD', KEYS[2], 'NX', ARGV[3], ARGV[1])
redis.call('ZADD', KEYS[3], 'NX', ARGV[4], ARGV[1])
return 1
