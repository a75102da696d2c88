import { defineScript } from './define-script.js';

/**
 * Quota pools in Lua. Keys of one user share the hash tag `{u:ID}`, so each script runs on one node of a Redis Cluster.
 *
 * Pool (hash): b spendable, e epoch, r reservation in SQL, h running holds, s slices, t last use in ms. A token's pool key is the
 * user's with `:TOKEN` behind. Registry (hash): call id → `amount|token|owner|prompt estimate|dispatched|placed at|
 * reservation|token's reservation`, for a slice followed by `|turn` (slice-scripts.ts). Everything is checked before anything is changed.
 */
export const COMMON = `
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
 * Places the holds of several calls, one after another: each call is decided by itself, as if it had come alone.
 * KEYS per call: user pool, registry, token pool, windows…
 * ARGV epoch, then per call: call id, amount, prompt estimate, token id or '', owner, number of windows, and per window limit,
 * length in ms, count|peek.
 * Answers a line per call: `0|window|retry ms` refused, `1|user short|token short|reservations…|slices` short, `2|reservations…`
 * placed. One text: a client takes lists of lists apart piece by piece.
 */
export const PLACE = defineScript(`${COMMON}
local now = now_ms()
local now_text = whole(now)
local epoch = ARGV[1]
local key, arg = 1, 2
local answers = {}

local function read(pool_key)
  local pool = redis.call('HMGET', pool_key, 'b', 'e', 'r', 'h', 's')
  if pool[2] ~= epoch then return 0, '', 0, '0' end
  return tonumber(pool[1]), pool[3], tonumber(pool[4]), pool[5] or '0'
end

-- Entries that have left the window only make it look fuller: they are counted out when that would matter, and now and then.
local function full_window(first, count, spec)
  for i = 0, count - 1 do
    local window, limit = KEYS[first + i], tonumber(ARGV[spec + 3 * i])
    local entries = redis.call('ZCARD', window)
    if entries >= limit or entries % 128 == 127 then
      local span = tonumber(ARGV[spec + 3 * i + 1])
      redis.call('ZREMRANGEBYSCORE', window, '-inf', now - span)
      entries = redis.call('ZCARD', window)
      if entries >= limit then
        local blocking = redis.call('ZRANGE', window, entries - limit, entries - limit, 'WITHSCORES')
        local wait = span
        if blocking[2] then wait = tonumber(blocking[2]) + span - now end
        return i, math.max(1, math.ceil(wait))
      end
    end
  end
end

local function place(call, amount_text, estimate, token_id, owner, windows, first, spec)
  local user_key, registry, token_key = KEYS[first], KEYS[first + 1], KEYS[first + 2]
  local full, wait = full_window(first + 3, windows, spec)
  if full then return '0|' .. full .. '|' .. whole(wait) end
  local amount = tonumber(amount_text)
  local user_rest, user_reservation, user_holds, slices = read(user_key)
  local token_rest, token_reservation, token_holds, token_short = 0, '', 0, 0
  if token_id ~= '' then
    token_rest, token_reservation, token_holds = read(token_key)
    token_short = math.max(0, amount - token_rest)
  end
  if user_rest < amount or token_short > 0 then
    local shorts = '1|' .. whole(math.max(0, amount - user_rest)) .. '|' .. whole(token_short)
    return table.concat({shorts, user_reservation, token_reservation, slices}, '|')
  end
  local hold = table.concat({amount_text, token_id, owner, estimate, '0', now_text, user_reservation, token_reservation}, '|')
  if redis.call('HSETNX', registry, call, hold) == 0 then
    local known = split(redis.call('HGET', registry, call))
    return '2|' .. known[7] .. '|' .. known[8]
  end
  if user_reservation ~= '' then
    redis.call('HSET', user_key, 'b', whole(user_rest - amount), 'h', user_holds + 1, 't', now_text)
  end
  if token_reservation ~= '' then
    redis.call('HSET', token_key, 'b', whole(token_rest - amount), 'h', token_holds + 1, 't', now_text)
  end
  for i = 0, windows - 1 do
    if ARGV[spec + 3 * i + 2] == 'count' then
      redis.call('ZADD', KEYS[first + 3 + i], now, call)
      redis.call('PEXPIRE', KEYS[first + 3 + i], ARGV[spec + 3 * i + 1])
    end
  end
  return '2|' .. user_reservation .. '|' .. token_reservation
end

while arg <= #ARGV do
  local windows = tonumber(ARGV[arg + 5])
  answers[#answers + 1] =
    place(ARGV[arg], ARGV[arg + 1], ARGV[arg + 2], ARGV[arg + 3], ARGV[arg + 4], windows, key, arg + 6)
  key = key + 3 + windows
  arg = arg + 6 + 3 * windows
end
return table.concat(answers, '\\n')
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

/**
 * KEYS per user: pool, registry. ARGV per user: number of calls, then call id, unused, call id, unused… Unknown call ids change
 * nothing.
 */
export const SETTLE = defineScript(`${COMMON}
local now_text = whole(now_ms())
local function settle(pool_key, registry, first, last)
  local sums, ends, order = {}, {}, {}
  local function give(key, reservation, amount)
    local id = key .. '|' .. reservation
    if not sums[id] then sums[id], ends[id], order[#order + 1] = 0, 0, {id, key, reservation} end
    sums[id], ends[id] = sums[id] + amount, ends[id] + 1
  end
  local settled = {}
  for i = first, last, 2 do
    local text = redis.call('HGET', registry, ARGV[i])
    if text and not settled[ARGV[i]] then
      local hold = split(text)
      local unused = math.min(tonumber(ARGV[i + 1]), tonumber(hold[1]))
      settled[ARGV[i]] = true
      redis.call('HDEL', registry, ARGV[i])
      give(pool_key, hold[7], unused)
      if hold[2] ~= '' then give(pool_key .. ':' .. hold[2], hold[8], unused) end
      if hold[9] and redis.call('HGET', pool_key, 'r') == hold[7] then redis.call('HINCRBY', pool_key, 's', -1) end
    end
  end
  for _, entry in ipairs(order) do
    local pool = redis.call('HMGET', entry[2], 'b', 'r', 'h')
    if pool[2] == entry[3] then
      redis.call('HSET', entry[2], 'b', whole(tonumber(pool[1]) + sums[entry[1]]), 'h',
        tonumber(pool[3]) - ends[entry[1]], 't', now_text)
    end
  end
end
local arg = 1
for user = 1, #KEYS, 2 do
  local calls = tonumber(ARGV[arg])
  settle(KEYS[user], KEYS[user + 1], arg + 1, arg + 2 * calls)
  arg = arg + 1 + 2 * calls
end
return 1
`);

/** KEYS per user: registry. ARGV per user: number of calls that went upstream, their ids. */
export const MARK_DISPATCHED = defineScript(`${COMMON}
local arg = 1
for _, registry in ipairs(KEYS) do
  local calls = tonumber(ARGV[arg])
  for i = arg + 1, arg + calls do
    local text = redis.call('HGET', registry, ARGV[i])
    if text then
      local hold = split(text)
      hold[5] = '1'
      redis.call('HSET', registry, ARGV[i], table.concat(hold, '|'))
    end
  end
  arg = arg + 1 + calls
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

/** KEYS pool. ARGV reservation. Holds of the pool stay in the registry; none of them finds its pool again. */
export const DISCARD = defineScript(`
if redis.call('HGET', KEYS[1], 'r') ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
`);

/** KEYS pool. ARGV change, reservation. */
export const DEBIT = defineScript(`
if redis.call('HGET', KEYS[1], 'r') ~= ARGV[2] then return 0 end
redis.call('HINCRBY', KEYS[1], 'b', ARGV[1])
return 1
`);
