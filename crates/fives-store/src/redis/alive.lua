#!lua
-- A sign of life; too long a silence before it is kept as an outage.
-- KEYS: the last sign of life, outages. ARGV: now in ms, the longest silence in ms, how many outages are kept.
local now = tonumber(ARGV[1])
local last = tonumber(redis.call('GET', KEYS[1]))
if last and last + tonumber(ARGV[2]) < now then
  redis.call('RPUSH', KEYS[2], string.format('%.0f:%.0f', last, now))
  redis.call('LTRIM', KEYS[2], -ARGV[3], -1)
end
-- Replicas do not read Redis's clock at the same moment: it never goes back here.
if not last or last < now then
  redis.call('SET', KEYS[1], string.format('%.0f', now))
end
return redis.status_reply('OK')
