#!lua
-- Removes a claim whose match is made, and remembers which match its players got.
-- KEYS: claims, order of claims, and for each player what they have instead. All of one queue.
-- ARGV: match, for how long it is remembered, in ms.
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
for key = 3, #KEYS do
  if redis.call('GET', KEYS[key]) == 'c' .. ARGV[1] then
    redis.call('SET', KEYS[key], 'm' .. ARGV[1], 'PX', ARGV[2])
  end
end
return redis.status_reply('OK')
