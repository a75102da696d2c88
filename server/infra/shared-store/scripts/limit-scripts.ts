import { defineScript } from './define-script.js';
import { LIMITS } from './limit-lua.js';
import { WINDOWS } from './window-lua.js';

const COMMON = `${WINDOWS}${LIMITS}`;

/**
 * Takes room in windows that do not lie with the account's pools (Redis Cluster). KEYS registry, windows. ARGV epoch, call id, registry entry, then
 * per window five arguments (limit-lua.ts). Answers `2|sums`, `3|full`, `4|unknown`.
 */
export const TAKE_LIMITS = defineScript(`${COMMON}
local count = #KEYS - 1
if redis.call('HEXISTS', KEYS[1], ARGV[2]) == 1 then return '2|' end
local refused, sums = limits_verdict(2, count, 4, ARGV[1])
if refused then return refused end
redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
limits_take(2, count, 4)
return '2|' .. sums
`);

/**
 * KEYS per registry: registry. ARGV per registry: number of calls, then per call: id, number of parts, and per part window and use. Unknown call ids
 * change nothing.
 */
export const SETTLE_LIMITS = defineScript(`${COMMON}
local arg = 1
for _, registry in ipairs(KEYS) do
  local calls = tonumber(ARGV[arg])
  arg = arg + 1
  for _ = 1, calls do
    local call, parts, used = ARGV[arg], tonumber(ARGV[arg + 1]), {}
    for i = 1, parts do used[ARGV[arg + 2 * i]] = tonumber(ARGV[arg + 2 * i + 1]) end
    arg = arg + 2 + 2 * parts
    local text = redis.call('HGET', registry, call)
    if text then
      local entry = cjson.decode(text)
      for _, part in ipairs(entry[3]) do
        local by = (used[part[1]] or 0) - tonumber(part[3])
        if by ~= 0 and counts_in(part[1], entry[1]) then redis.call('HINCRBY', part[1], part[2], whole(by)) end
      end
      redis.call('HDEL', registry, call)
    end
  end
end
return 1
`);

/**
 * KEYS registry, windows. ARGV call id, epoch, then per window: start, oldest, amount, growth. Answers the number of the window without room, from
 * 0; -1 = grown, or the call is unknown.
 */
export const GROW_LIMITS = defineScript(`${COMMON}
local text = redis.call('HGET', KEYS[1], ARGV[1])
if not text then return -1 end
local entry = cjson.decode(text)
for i = 2, #KEYS do
  local arg = 3 + 4 * (i - 2)
  local by = tonumber(ARGV[arg + 3])
  if by > 0 then
    local sum = limit_sum(KEYS[i], ARGV[arg], ARGV[arg + 1], ARGV[2])
    if sum and sum + by > tonumber(ARGV[arg + 2]) then return i - 2 end
  end
end
for i = 2, #KEYS do
  local arg = 3 + 4 * (i - 2)
  for _, part in ipairs(entry[3]) do
    if part[1] == KEYS[i] and part[2] == ARGV[arg] then
      part[3] = whole(tonumber(part[3]) + tonumber(ARGV[arg + 3]))
      if counts_in(KEYS[i], entry[1]) then redis.call('HINCRBY', KEYS[i], part[2], ARGV[arg + 3]) end
    end
  end
end
redis.call('HSET', KEYS[1], ARGV[1], cjson.encode(entry))
return -1
`);

/**
 * Enters a running call. KEYS registry, windows. ARGV epoch, call id, registry entry, then per window: start, need, time to live. Answers 1 = entered
 * now, 0 = before.
 */
export const RESTORE_LIMITS = defineScript(`${COMMON}
local text = redis.call('HGET', KEYS[1], ARGV[2])
if text and cjson.decode(text)[1] == ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
for i = 2, #KEYS do
  local key, arg = KEYS[i], 4 + 3 * (i - 2)
  if not counts_in(key, ARGV[1]) then
    redis.call('DEL', key)
    redis.call('HSET', key, 'p', ARGV[1])
  end
  redis.call('HINCRBY', key, ARGV[arg], ARGV[arg + 1])
  redis.call('PEXPIRE', key, ARGV[arg + 2])
end
return 1
`);

/** KEYS window. ARGV epoch, time to live, then start, use, start, use… Answers 1 = filled now, 0 = it was filled before. */
export const FILL_LIMIT = defineScript(`${COMMON}
local found = redis.call('HMGET', KEYS[1], 'e', 'p')
if found[1] == ARGV[1] then return 0 end
if found[2] ~= ARGV[1] then redis.call('DEL', KEYS[1]) end
for i = 3, #ARGV, 2 do redis.call('HINCRBY', KEYS[1], ARGV[i], ARGV[i + 1]) end
redis.call('HSET', KEYS[1], 'e', ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
`);

/** KEYS window. ARGV epoch, start, change. */
export const CORRECT_LIMIT = defineScript(`
if redis.call('HGET', KEYS[1], 'e') ~= ARGV[1] then return 0 end
redis.call('HINCRBY', KEYS[1], ARGV[2], ARGV[3])
return 1
`);

/** KEYS set. ARGV value, most values, time to live. Answers 1 = the value is in the set, 0 = the set is full of others. */
export const ENTER_VALUE = defineScript(`
if redis.call('SISMEMBER', KEYS[1], ARGV[1]) == 1 then return 1 end
if redis.call('SCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('SADD', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
`);
