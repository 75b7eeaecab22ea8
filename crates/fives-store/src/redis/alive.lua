#!lua
-- A sign of life, by Redis's own clock; too long a silence before it is kept as an outage.
-- KEYS: the last sign of life, outages. ARGV: the longest silence in ms, how many outages are kept.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local last = tonumber(redis.call('GET', KEYS[1]))
if last and last + tonumber(ARGV[1]) < now then
  redis.call('RPUSH', KEYS[2], string.format('%.0f:%.0f', last, now))
  redis.call('LTRIM', KEYS[2], -ARGV[2], -1)
end
if not last or last < now then
  redis.call('SET', KEYS[1], string.format('%.0f', now))
end
return redis.status_reply('OK')
