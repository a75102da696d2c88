import { defineScript } from './define-script.js';
import { WINDOWS } from './window-lua.js';

/** KEYS window. ARGV limit, length in ms. Answers 0 when admitted, else the milliseconds to wait. */
export const ADMIT = defineScript(`${WINDOWS}
local now, limit, span = now_ms(), tonumber(ARGV[1]), tonumber(ARGV[2])
local entries = redis.call('LLEN', KEYS[1])
if entries >= limit or entries % LOOK_EVERY == LOOK_EVERY - 1 then entries = prune(KEYS[1], now, span) end
if entries >= limit then return wait_for(KEYS[1], entries - limit, now, span) end
enter(KEYS[1], 1, now, span)
return 0
`);

/** KEYS windows. ARGV per window: length in ms, new entries. */
export const RECORD = defineScript(`${WINDOWS}
local now = now_ms()
for i, key in ipairs(KEYS) do
  local span, fresh = tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i])
  local entries = redis.call('LLEN', key)
  if entries % LOOK_EVERY + fresh >= LOOK_EVERY then prune(key, now, span) end
  enter(key, fresh, now, span)
end
return 1
`);

/** KEYS window. ARGV length in ms. */
export const COUNT = defineScript(`${WINDOWS}
local entries = redis.call('LLEN', KEYS[1])
return entries - outside(KEYS[1], entries, now_ms() - tonumber(ARGV[1]))
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
