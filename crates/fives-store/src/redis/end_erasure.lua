#!lua
-- Forgets an erasure. KEYS: when who is to be carried on with, erasures. ARGV: player.
redis.call('ZREM', KEYS[1], ARGV[1])
return redis.call('HDEL', KEYS[2], ARGV[1])
