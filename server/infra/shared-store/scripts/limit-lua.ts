/**
 * Windows of limits in Lua. Window (hash): start of a period or bucket in ms → use and holds; e epoch in which it was filled; p epoch in which
 * running calls were entered before that. Registry (hash): call id → JSON `[epoch, owner, [[window, start, need], …]]`, amounts as text. Needs
 * `whole` of WINDOWS.
 */
export const LIMITS = `
-- Use and holds that count; nothing where this epoch has not filled the window.
local function limit_sum(key, field, from, epoch)
  if field == from then
    local found = redis.call('HMGET', key, 'e', field)
    if found[1] ~= epoch then return nil end
    return tonumber(found[2] or '0')
  end
  if redis.call('HGET', key, 'e') ~= epoch then return nil end
  local all, oldest, sum = redis.call('HGETALL', key), tonumber(from), 0
  for i = 1, #all, 2 do
    local start = tonumber(all[i])
    if start then
      if start >= oldest then sum = sum + tonumber(all[i + 1]) else redis.call('HDEL', key, all[i]) end
    end
  end
  return sum
end

-- Parts of a call begin at KEYS[first]; five arguments each: start, oldest, need, amount, time to live.
local function limits_verdict(first, count, spec, epoch)
  local unknown, full, sums = {}, {}, {}
  for i = 0, count - 1 do
    local arg = spec + 5 * i
    local sum, need = limit_sum(KEYS[first + i], ARGV[arg], ARGV[arg + 1], epoch), tonumber(ARGV[arg + 2])
    if not sum then
      unknown[#unknown + 1] = i
    else
      if need > 0 and sum + need > tonumber(ARGV[arg + 3]) then full[#full + 1] = i end
      sums[#sums + 1] = whole(sum + need)
    end
  end
  if #unknown > 0 then return '4|' .. table.concat(unknown, ',') end
  if #full > 0 then return '3|' .. table.concat(full, ',') end
  return nil, table.concat(sums, ',')
end

local function limits_take(first, count, spec)
  for i = 0, count - 1 do
    local key, arg = KEYS[first + i], spec + 5 * i
    redis.call('HINCRBY', key, ARGV[arg], ARGV[arg + 2])
    redis.call('PEXPIRE', key, ARGV[arg + 4])
  end
end

local function counts_in(key, epoch)
  local found = redis.call('HMGET', key, 'e', 'p')
  return found[1] == epoch or found[2] == epoch
end
`;
