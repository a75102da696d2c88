/**
 * Rate windows in Lua: lists of moments in ms on the server's clock, oldest first; a key is always used with one length. What has left
 * a window is thrown away when that matters, and now and then. A list is a tenth of a sorted set in memory and in time.
 */
export const WINDOWS = `
local function now_ms()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
local function whole(number) return string.format('%.0f', number) end

-- How many of a window's moments are not later than the edge.
local function outside(key, entries, edge)
  local first = redis.call('LINDEX', key, 0)
  if not first or tonumber(first) > edge then return 0 end
  local low, high = 1, entries
  while low < high do
    local middle = math.floor((low + high) / 2)
    if tonumber(redis.call('LINDEX', key, middle)) > edge then high = middle else low = middle + 1 end
  end
  return low
end

-- The newest moment. When the clock was put back by more than a window is long, its entries would stay for as long: they go at once.
local function newest(key, now, span)
  local moment = redis.call('LINDEX', key, -1)
  if not moment then return now end
  moment = tonumber(moment)
  if moment <= now + span then return moment end
  redis.call('DEL', key)
  return now
end

-- Answers how many entries are left.
local function prune(key, now, span)
  newest(key, now, span)
  local entries = redis.call('LLEN', key)
  local gone = outside(key, entries, now - span)
  if gone > 0 then redis.call('LTRIM', key, gone, -1) end
  return entries - gone
end

local function enter(key, entries, now, span)
  now = math.max(now, newest(key, now, span))
  local moment, moments = whole(now), {}
  for i = 1, math.min(entries, 1000) do moments[i] = moment end
  while entries > #moments do
    redis.call('RPUSH', key, unpack(moments))
    entries = entries - #moments
  end
  if entries > 0 then redis.call('RPUSH', key, unpack(moments, 1, entries)) end
  redis.call('PEXPIRE', key, span)
end

-- Until the window has room again: when the entry has left whose place the next one takes.
local function wait_for(key, position, now, span)
  local blocking = redis.call('LINDEX', key, position)
  return math.max(1, math.ceil((blocking and tonumber(blocking) or now) + span - now))
end

-- Windows are looked through when they seem full, and at one entry of so many.
local LOOK_EVERY = 128
`;
