import { defineScript } from './define-script.js';

/** Windows are sorted sets of moments on the server's clock; a key is always used with one length. */
const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** KEYS window. ARGV limit, length in ms, entry name. Answers 0 when admitted, else the milliseconds to wait. */
export const ADMIT = defineScript(`${NOW}
local limit, span = tonumber(ARGV[1]), tonumber(ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - span)
local entries = redis.call('ZCARD', KEYS[1])
if entries >= limit then
  local blocking = redis.call('ZRANGE', KEYS[1], entries - limit, entries - limit, 'WITHSCORES')
  local wait = span
  if blocking[2] then wait = tonumber(blocking[2]) + span - now end
  return math.max(1, math.ceil(wait))
end
redis.call('ZADD', KEYS[1], now, ARGV[3])
redis.call('PEXPIRE', KEYS[1], span)
return 0
`);

/**
 * KEYS windows. ARGV mark of the worker, then per window: length in ms, numbers of its first and its last entry. Mark and number
 * are an entry's name.
 */
export const RECORD = defineScript(`${NOW}
for i, key in ipairs(KEYS) do
  local arg = 3 * i - 1
  local span = ARGV[arg]
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now - tonumber(span))
  for entry = tonumber(ARGV[arg + 1]), tonumber(ARGV[arg + 2]) do
    redis.call('ZADD', key, now, ARGV[1] .. '-' .. string.format('%.0f', entry))
  end
  redis.call('PEXPIRE', key, span)
end
return 1
`);

/** KEYS window. ARGV length in ms. */
export const COUNT = defineScript(`${NOW}
return redis.call('ZCOUNT', KEYS[1], '(' .. string.format('%.0f', now - tonumber(ARGV[1])), '+inf')
`);

/** KEYS lease, its counter. ARGV owner mark, ttl ms. Answers the fencing number, 0 when somebody else has it. */
export const ACQUIRE = defineScript(`
if not redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 0 end
return redis.call('INCR', KEYS[2])
`);

/** KEYS lease. ARGV owner mark, ttl ms. */
export const RENEW = defineScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
`);

/** KEYS lease. ARGV owner mark. */
export const RELEASE = defineScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
`);

/** KEYS claim. ARGV ours. Answers the claim in force. */
export const CLAIM = defineScript(`
local current = redis.call('GET', KEYS[1])
if current then return current end
redis.call('SET', KEYS[1], ARGV[1])
return ARGV[1]
`);

/** KEYS epoch. ARGV prefix every epoch of this run has, a fresh epoch. Answers the epoch in force. */
export const EPOCH = defineScript(`
local current = redis.call('GET', KEYS[1])
if current and string.sub(current, 1, #ARGV[1]) == ARGV[1] then return current end
redis.call('SET', KEYS[1], ARGV[2])
return ARGV[2]
`);
