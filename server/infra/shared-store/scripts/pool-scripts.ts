import { defineScript } from './define-script.js';
import { LIMITS } from './limit-lua.js';
import { WINDOWS } from './window-lua.js';

/**
 * Quota pools in Lua. Keys of one user share the hash tag `{u:ID}`, so each script runs on one node of a Redis Cluster.
 *
 * Pool (hash): b spendable, e epoch, r reservation in SQL, h running holds, s slices, t last use in ms. A token's pool key is the
 * user's with `:TOKEN` behind. Registry (hash): call id → `amount|token|owner|prompt estimate|dispatched|placed at|
 * reservation|token's reservation`, for a slice followed by `|turn` (slice-scripts.ts). Everything is checked before anything is changed.
 */
export const COMMON = `${WINDOWS}
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
 * KEYS per call: user pool, registry, token pool, windows…, and where there are limits their registry and windows (limit-lua.ts)
 * ARGV epoch, then per call: call id, amount, prompt estimate, token id or '', owner, number of windows, and per window limit,
 * length in ms, count|peek; number of limits, and where there are some their registry entry and five arguments of each.
 * Answers a line per call: `0|window|retry ms` refused, `1|user short|token short|reservations…|slices` short, `2|reservations…|sums
 * of limits` placed, `3|limits` full, `4|limits` not filled in this epoch. One text: a client takes lists of lists apart piece by piece.
 */
export const PLACE = defineScript(`${COMMON}${LIMITS}
local now = now_ms()
local now_text = whole(now)
local epoch = ARGV[1]
local key, arg = 1, 2
local answers = {}
-- What calls of one script share is read once and written once.
local pools, changed, windows, entered = {}, {}, {}, {}

local function read(pool_key)
  local pool = pools[pool_key]
  if pool then return pool end
  local found = redis.call('HMGET', pool_key, 'b', 'e', 'r', 'h', 's')
  if found[2] == epoch then
    pool = {rest = tonumber(found[1]), reservation = found[3], holds = tonumber(found[4]), slices = found[5] or '0'}
  else
    pool = {rest = 0, reservation = '', holds = 0, slices = '0'}
  end
  pools[pool_key] = pool
  return pool
end

local function take(pool_key, pool, amount)
  if pool.reservation == '' then return end
  if not pool.is_changed then
    pool.is_changed = true
    changed[#changed + 1] = pool_key
  end
  pool.rest, pool.holds = pool.rest - amount, pool.holds + 1
end

-- Fresh entries are counted and not written yet.
local function window_at(window_key)
  local window = windows[window_key]
  if not window then
    window = {stored = redis.call('LLEN', window_key), fresh = 0}
    windows[window_key] = window
  end
  return window
end

local function full_window(first, count, spec)
  for i = 0, count - 1 do
    local window_key, limit = KEYS[first + i], tonumber(ARGV[spec + 3 * i])
    local window = window_at(window_key)
    local entries = window.stored + window.fresh
    if entries >= limit or entries % LOOK_EVERY == LOOK_EVERY - 1 then
      local span = tonumber(ARGV[spec + 3 * i + 1])
      window.stored = prune(window_key, now, span)
      entries = window.stored + window.fresh
      if entries >= limit then return i, wait_for(window_key, entries - limit, now, span) end
    end
  end
end

local function count_in(first, count, spec)
  for i = 0, count - 1 do
    if ARGV[spec + 3 * i + 2] == 'count' then
      local window = window_at(KEYS[first + i])
      if window.fresh == 0 then
        window.span = tonumber(ARGV[spec + 3 * i + 1])
        entered[#entered + 1] = KEYS[first + i]
      end
      window.fresh = window.fresh + 1
    end
  end
end

local function place(call, amount_text, estimate, token_id, owner, count, first, spec)
  local limits_spec = spec + 3 * count
  local limits, limits_first = tonumber(ARGV[limits_spec]), first + 4 + count
  local user_key, registry, token_key = KEYS[first], KEYS[first + 1], KEYS[first + 2]
  local full, wait = full_window(first + 3, count, spec)
  if full then return '0|' .. full .. '|' .. whole(wait) end
  local sums = ''
  if limits > 0 and redis.call('HEXISTS', KEYS[limits_first - 1], call) == 0 then
    local refused, found = limits_verdict(limits_first, limits, limits_spec + 2, epoch)
    if refused then return refused end
    sums = found
  end
  local amount = tonumber(amount_text)
  local user, token = read(user_key), token_id ~= '' and read(token_key)
  local token_short = token and math.max(0, amount - token.rest) or 0
  local reservations = user.reservation .. '|' .. (token and token.reservation or '')
  if user.rest < amount or token_short > 0 then
    local shorts = '1|' .. whole(math.max(0, amount - user.rest)) .. '|' .. whole(token_short)
    return table.concat({shorts, reservations, user.slices}, '|')
  end
  local hold = table.concat({amount_text, token_id, owner, estimate, '0', now_text, reservations}, '|')
  if redis.call('HSETNX', registry, call, hold) == 0 then
    local known = split(redis.call('HGET', registry, call))
    return '2|' .. known[7] .. '|' .. known[8]
  end
  take(user_key, user, amount)
  if token then take(token_key, token, amount) end
  count_in(first + 3, count, spec)
  if limits == 0 then return '2|' .. reservations end
  if redis.call('HSETNX', KEYS[limits_first - 1], call, ARGV[limits_spec + 1]) == 1 then
    limits_take(limits_first, limits, limits_spec + 2)
  end
  return '2|' .. reservations .. '|' .. sums
end

while arg <= #ARGV do
  local count = tonumber(ARGV[arg + 5])
  answers[#answers + 1] =
    place(ARGV[arg], ARGV[arg + 1], ARGV[arg + 2], ARGV[arg + 3], ARGV[arg + 4], count, key, arg + 6)
  key = key + 3 + count
  arg = arg + 6 + 3 * count
  local limits = tonumber(ARGV[arg])
  if limits > 0 then
    key = key + 1 + limits
    arg = arg + 1 + 5 * limits
  end
  arg = arg + 1
end
for _, pool_key in ipairs(changed) do
  local pool = pools[pool_key]
  redis.call('HSET', pool_key, 'b', whole(pool.rest), 'h', pool.holds, 't', now_text)
end
for _, window_key in ipairs(entered) do
  local window = windows[window_key]
  enter(window_key, window.fresh, now, window.span)
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
 * KEYS per user: pool, registry. ARGV per user: number of calls (Lua unpacks a few thousand at most), then call id, unused, call id,
 * unused… Unknown call ids change nothing.
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
  local calls, settled = {}, {}
  for i = first, last, 2 do calls[#calls + 1] = ARGV[i] end
  local holds = redis.call('HMGET', registry, unpack(calls))
  redis.call('HDEL', registry, unpack(calls))
  for i, call in ipairs(calls) do
    if holds[i] and not settled[call] then
      local hold = split(holds[i])
      local unused = math.min(tonumber(ARGV[first + 2 * i - 1]), tonumber(hold[1]))
      settled[call] = true
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
  local last = arg + 2 * calls
  settle(KEYS[user], KEYS[user + 1], arg + 1, last)
  arg = last + 1
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

/** KEYS pool. ARGV idle ms, epoch. Answers {amount, reservation}, or nothing. */
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
return {whole(amount), pool[3]}
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
