import { COMMON } from './pool-scripts.js';
import { defineScript } from './define-script.js';

/** A slice never takes more of what a pool has left than this part. */
const SLICE_PART = 4;

/**
 * Slices: holds of a worker that grants their money locally. In the registry they look like the hold of a call, followed by the
 * last turn they reported: recovery of a dead worker's slice reads the later turns in its spool. KEYS per slice: user pool,
 * registry, token pool (the user's again when there is none). ARGV epoch, then per slice: name, turn, owner, token id or '', used,
 * change, least, closes (1|0), number of detached calls, and per call: call id, amount, prompt estimate, dispatched (1|0). Answers
 * per slice {0} void, {1, amount, reservation, token's reservation} applied, now or before.
 */
export const REPORT_SLICES = defineScript(`${COMMON}
local now_text = whole(now_ms())
local epoch = ARGV[1]

local function write(pool_key, rest, holds)
  redis.call('HSET', pool_key, 'b', whole(rest), 'h', whole(holds), 't', now_text)
end

local function report(user_key, registry, token_key, arg)
  local name, turn, token_id = ARGV[arg], tonumber(ARGV[arg + 1]), ARGV[arg + 3]
  local used, change, least = tonumber(ARGV[arg + 4]), tonumber(ARGV[arg + 5]), tonumber(ARGV[arg + 6])
  local closes, carved = ARGV[arg + 7] == '1', tonumber(ARGV[arg + 8])
  local text = redis.call('HGET', registry, name)
  if not text and turn ~= 1 then return {0} end
  local slice = text and split(text)
  if slice and tonumber(slice[9]) >= turn then return {1, slice[1], slice[7], slice[8]} end
  local has_token = token_id ~= ''
  local user = redis.call('HMGET', user_key, 'b', 'e', 'r', 'h')
  local token = has_token and redis.call('HMGET', token_key, 'b', 'e', 'r', 'h')
  local is_known = user[2] == epoch and (not has_token or token[2] == epoch)
  if is_known and slice then
    is_known = user[3] == slice[7] and (not has_token or token[3] == slice[8])
  end
  if not is_known then
    redis.call('HDEL', registry, name)
    return {0}
  end
  local opens = not slice
  if opens then
    slice = {'0', token_id, ARGV[arg + 2], '0', '0', now_text, user[3], has_token and token[3] or '', ''}
  end
  local amount, holds = tonumber(slice[1]) - used, 0
  for i = arg + 9, arg + 5 + 4 * carved, 4 do
    local hold = {ARGV[i + 1], token_id, slice[3], ARGV[i + 2], ARGV[i + 3], now_text, slice[7], slice[8]}
    redis.call('HSET', registry, ARGV[i], table.concat(hold, '|'))
    amount = amount - tonumber(ARGV[i + 1])
    holds = holds + 1
  end
  local user_rest, token_rest = tonumber(user[1]), has_token and tonumber(token[1])
  if closes then
    change = -amount
  elseif change > 0 then
    local room = has_token and math.min(user_rest, token_rest) or user_rest
    change = math.min(change, math.max(0, math.floor(room / ${SLICE_PART})))
    if change < least then change = 0 end
  end
  amount = amount + change
  local is_gone = closes or (opens and amount == 0)
  local more = (opens and 1 or 0) - (is_gone and 1 or 0)
  write(user_key, user_rest - change, tonumber(user[4]) + holds + more)
  if has_token then write(token_key, token_rest - change, tonumber(token[4]) + holds + more) end
  if more ~= 0 then redis.call('HINCRBY', user_key, 's', more) end
  if is_gone then
    redis.call('HDEL', registry, name)
  else
    slice[1], slice[9] = whole(amount), ARGV[arg + 1]
    redis.call('HSET', registry, name, table.concat(slice, '|'))
  end
  return {1, whole(amount), slice[7], slice[8]}
end

local arg, answers = 2, {}
for key = 1, #KEYS, 3 do
  answers[#answers + 1] = report(KEYS[key], KEYS[key + 1], KEYS[key + 2], arg)
  arg = arg + 9 + 4 * tonumber(ARGV[arg + 8])
end
return answers
`);
