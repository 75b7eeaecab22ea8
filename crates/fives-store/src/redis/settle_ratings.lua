#!lua
-- Keeps what a match makes of its players' standings: once, and only if they stand as it says.
-- KEYS: the note that the match is settled, the leaderboard, then the standing of each player. All of one pool.
-- ARGV: the note, its time to live in ms, then for each player: matches before, matches after, standing, place ('' for none),
-- points below zero.
-- Answers with the note that is there, with '' if somebody stands otherwise, or false: then it is done.
local note = redis.call('GET', KEYS[1])
if note then
  -- A write, so that WAIT has something to wait for: the first one was perhaps not confirmed.
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return note
end
for i = 3, #KEYS do
  if (redis.call('HGET', KEYS[i], 'n') or '0') ~= ARGV[5 * i - 12] then
    return ''
  end
end
for i = 3, #KEYS do
  local at = 5 * i - 12
  local place = redis.call('HGET', KEYS[i], 'p')
  if place then
    redis.call('ZREM', KEYS[2], place)
  end
  redis.call('HSET', KEYS[i], 'n', ARGV[at + 1], 's', ARGV[at + 2])
  if ARGV[at + 3] == '' then
    redis.call('HDEL', KEYS[i], 'p')
  else
    redis.call('HSET', KEYS[i], 'p', ARGV[at + 3])
    redis.call('ZADD', KEYS[2], ARGV[at + 4], ARGV[at + 3])
  end
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return false
