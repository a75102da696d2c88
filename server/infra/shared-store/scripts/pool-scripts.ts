import { defineScript } from './define-script.js';

/**
 * Quota pools in Lua. Keys of one user share the hash tag `{u:ID}`, so each script runs on one node of a Redis Cluster.
 *
 * Pool (hash): b spendable, e epoch, r reservation in SQL, h running holds, t last use in ms. A token's pool key is the
 * user's with `:TOKEN` behind. Registry (hash): call id → `amount|token|owner|prompt estimate|dispatched|placed at|
 * reservation|token's reservation`. Everything is checked before anything is changed.
 */
const COMMON = `
local function now_ms()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
local function whole(number) return string.format('%.0f', number) end
local function split(text)
  local parts, from = {}, 1
  while true do
    local at = string.find(text, '|', from, true)
    if not at then parts[#parts + 1] = string.sub(text, from) return parts end
    parts[#parts + 1] = string.sub(text, from, at - 1)
    from = at + 1
  end
end
`;

/**
 * KEYS user pool, registry, token pool, windows…
 * ARGV call id, amount, epoch, owner, prompt estimate, token id or '', then per window limit, length in ms, count|peek.
 * Answers {0, window, retry ms} refused, {1, user short, token short, reservations…} short, {2, reservations…} placed.
 */
export const PLACE = defineScript(`${COMMON}
local now = now_ms()
local amount = tonumber(ARGV[2])
for i = 1, #KEYS - 3 do
  local key, limit, span = KEYS[3 + i], tonumber(ARGV[4 + 3 * i]), tonumber(ARGV[5 + 3 * i])
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now - span)
  local entries = redis.call('ZCARD', key)
  if entries >= limit then
    local blocking = redis.call('ZRANGE', key, entries - limit, entries - limit, 'WITHSCORES')
    local wait = span
    if blocking[2] then wait = tonumber(blocking[2]) + span - now end
    return {0, i - 1, math.max(1, math.ceil(wait))}
  end
end
local function read(key)
  local pool = redis.call('HMGET', key, 'b', 'e', 'r', 'h')
  if pool[2] ~= ARGV[3] then return {0, '', 0} end
  return {tonumber(pool[1]), pool[3], tonumber(pool[4])}
end
local user = read(KEYS[1])
local token = {0, '', 0}
local user_short = math.max(0, amount - user[1])
local token_short = 0
if ARGV[6] ~= '' then
  token = read(KEYS[3])
  token_short = math.max(0, amount - token[1])
end
if user_short > 0 or token_short > 0 then
  return {1, whole(user_short), whole(token_short), user[2], token[2]}
end
local hold = table.concat({ARGV[2], ARGV[6], ARGV[4], ARGV[5], '0', whole(now), user[2], token[2]}, '|')
if redis.call('HSETNX', KEYS[2], ARGV[1], hold) == 0 then
  local known = split(redis.call('HGET', KEYS[2], ARGV[1]))
  return {2, known[7], known[8]}
end
if user[2] ~= '' then
  redis.call('HSET', KEYS[1], 'b', whole(user[1] - amount), 'h', user[3] + 1, 't', whole(now))
end
if token[2] ~= '' then
  redis.call('HSET', KEYS[3], 'b', whole(token[1] - amount), 'h', token[3] + 1, 't', whole(now))
end
for i = 1, #KEYS - 3 do
  if ARGV[6 + 3 * i] == 'count' then
    redis.call('ZADD', KEYS[3 + i], now, ARGV[1])
    redis.call('PEXPIRE', KEYS[3 + i], ARGV[5 + 3 * i])
  end
end
return {2, user[2], token[2]}
`);

/** KEYS user pool, registry. ARGV call id, amount. Answers 1 when the hold grew. */
export const EXTEND = defineScript(`${COMMON}
local text = redis.call('HGET', KEYS[2], ARGV[1])
if not text then return 0 end
local hold, by = split(text), tonumber(ARGV[2])
local pools = {{KEYS[1], hold[7]}}
if hold[2] ~= '' then pools[2] = {KEYS[1] .. ':' .. hold[2], hold[8]} end
local rests = {}
for i, pool in ipairs(pools) do
  local state = redis.call('HMGET', pool[1], 'b', 'r')
  if state[2] ~= pool[2] or tonumber(state[1]) < by then return 0 end
  rests[i] = tonumber(state[1]) - by
end
for i, pool in ipairs(pools) do redis.call('HSET', pool[1], 'b', whole(rests[i]), 't', whole(now_ms())) end
hold[1] = whole(tonumber(hold[1]) + by)
redis.call('HSET', KEYS[2], ARGV[1], table.concat(hold, '|'))
return 1
`);

/** KEYS pool. ARGV amount, reservation, epoch. A pool of another epoch is replaced, one of another reservation is kept. */
export const FILL = defineScript(`${COMMON}
local pool = redis.call('HMGET', KEYS[1], 'e', 'r')
if pool[1] == ARGV[3] then
  if pool[2] ~= ARGV[2] then return 0 end
  redis.call('HINCRBY', KEYS[1], 'b', ARGV[1])
  redis.call('HSET', KEYS[1], 't', whole(now_ms()))
  return 1
end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'b', ARGV[1], 'e', ARGV[3], 'r', ARGV[2], 'h', 0, 't', whole(now_ms()))
return 1
`);

/** KEYS user pool, registry. ARGV call id, unused, call id, unused… Unknown call ids change nothing. */
export const SETTLE = defineScript(`${COMMON}
local sums, ends, order = {}, {}, {}
local function give(key, reservation, amount)
  local id = key .. '|' .. reservation
  if not sums[id] then sums[id], ends[id], order[#order + 1] = 0, 0, {id, key, reservation} end
  sums[id], ends[id] = sums[id] + amount, ends[id] + 1
end
local settled = {}
for i = 1, #ARGV, 2 do
  local text = redis.call('HGET', KEYS[2], ARGV[i])
  if text and not settled[ARGV[i]] then
    local hold = split(text)
    local unused = math.min(tonumber(ARGV[i + 1]), tonumber(hold[1]))
    settled[ARGV[i]] = true
    redis.call('HDEL', KEYS[2], ARGV[i])
    give(KEYS[1], hold[7], unused)
    if hold[2] ~= '' then give(KEYS[1] .. ':' .. hold[2], hold[8], unused) end
  end
end
for _, entry in ipairs(order) do
  local pool = redis.call('HMGET', entry[2], 'b', 'r', 'h')
  if pool[2] == entry[3] then
    redis.call('HSET', entry[2], 'b', whole(tonumber(pool[1]) + sums[entry[1]]), 'h',
      tonumber(pool[3]) - ends[entry[1]], 't', whole(now_ms()))
  end
end
return 1
`);

/** KEYS registry. ARGV call ids that went upstream. */
export const MARK_DISPATCHED = defineScript(`${COMMON}
for i = 1, #ARGV do
  local text = redis.call('HGET', KEYS[1], ARGV[i])
  if text then
    local hold = split(text)
    hold[5] = '1'
    redis.call('HSET', KEYS[1], ARGV[i], table.concat(hold, '|'))
  end
end
return 1
`);

/** KEYS pool. ARGV idle ms, epoch. Answers {amount, reservation, holds}, or nothing. */
export const DRAIN = defineScript(`${COMMON}
local pool = redis.call('HMGET', KEYS[1], 'b', 'e', 'r', 'h', 't')
if pool[2] ~= ARGV[2] or tonumber(pool[5]) > now_ms() - tonumber(ARGV[1]) then return false end
local balance, holds = tonumber(pool[1]), tonumber(pool[4])
local amount = math.max(0, balance)
if holds == 0 and balance >= 0 then
  redis.call('DEL', KEYS[1])
else
  redis.call('HSET', KEYS[1], 'b', whole(balance - amount))
end
return {whole(amount), pool[3], holds}
`);

/** KEYS pool. ARGV amount, reservation. */
export const DEBIT = defineScript(`
if redis.call('HGET', KEYS[1], 'r') ~= ARGV[2] then return 0 end
redis.call('HINCRBY', KEYS[1], 'b', '-' .. ARGV[1])
return 1
`);
