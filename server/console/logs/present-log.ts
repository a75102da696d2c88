import type { LogLineView } from './dto/log.dto.js';
import { administratorIn } from '../../base/logs/log-event.js';
import type { LogEntity } from '../../base/logs/log.entity.js';
import { parseJson, isJsonObject } from '../../common/parse-json.js';

/** Members of `other` that only administrators see; the last three were top-level in older logs. */
const ADMIN_MEMBERS = ['admin_info', 'channel_id', 'channel_name', 'channel_type'];

/** A line as administrators see it. */
export const presentLog = (line: LogEntity, channelName: string): LogLineView => ({
  ...sharedMembers(line),
  id: line.id,
  channel: line.channelId,
  channel_name: channelName,
  other: JSON.stringify(readOther(line.other)),
});

/**
 * A line as its owner sees it: no channel, no path through the channels, and its position in the list instead of the row id, which
 * would tell how busy the gateway is. Nor the name of the administrator who changed the account.
 */
export function presentOwnLog(line: LogEntity, position: number): LogLineView {
  const other = readOther(line.other);
  for (const name of ADMIN_MEMBERS) delete other[name];
  const content = withoutOperator(line, other);
  return {
    ...sharedMembers(line),
    id: position,
    channel: 0,
    channel_name: '',
    content,
    other: JSON.stringify(other),
  };
}

/** Takes who did it out of the details. @returns the line's text without him */
function withoutOperator({ content, userId }: LogEntity, other: Record<string, unknown>): string {
  const { event } = other;
  if (!isJsonObject(event) || event['operator_id'] === undefined || event['operator_id'] === userId)
    return content;
  const { operator, operator_id: id, ...rest } = event;
  other['event'] = rest;
  return content.replace(administratorIn(String(operator), Number(id)), 'An administrator');
}

/** The details of a line. Anything but a JSON object counts as none: an imported line may hold anything. */
export function readOther(text: string): Record<string, unknown> {
  const document = parseJson(text);
  return isJsonObject(document) ? document : {};
}

/**
 * What a line moved the balance by: the cost of a call, what came in, or what an administrator gave (below 0: took), which only the
 * event of the line knows.
 */
export function amountOf({ quota, other }: Pick<LogEntity, 'quota' | 'other'>): number {
  const { event } = readOther(other);
  const moved = isJsonObject(event) ? event['quota'] : undefined;
  return typeof moved === 'number' && Number.isSafeInteger(moved) ? moved : quota;
}

const sharedMembers = (line: LogEntity) => ({
  user_id: line.userId,
  created_at: line.createdAt,
  type: line.type,
  content: line.content,
  username: line.username,
  token_name: line.tokenName,
  model_name: line.modelName,
  group: line.group,
  quota: line.quota,
  prompt_tokens: line.promptTokens,
  completion_tokens: line.completionTokens,
  use_time: line.useTime,
  is_stream: Boolean(line.isStream),
  token_id: line.tokenId,
  // The key of a line that is no call is for writing it once; nothing can be asked by it.
  request_id: line.requestId?.includes(':') === true ? null : line.requestId,
});
