import type { LogLineView } from './dto/log.dto.js';
import type { Language } from '../../common/language.js';
import { callTextIn } from '../../base/billing/records/call-note-texts.js';
import { operatorReasonIn } from '../../base/logs/operator-reasons.js';
import { refusalText } from '../../base/logs/refusal-texts.js';
import { taskReasonIn } from '../../base/logs/task-reasons.js';
import { administratorIn } from '../../base/logs/log-event.js';
import type { LogEntity } from '../../base/logs/log.entity.js';
import { parseJson, isJsonObject } from '../../common/parse-json.js';

/** Members of `other` that only administrators see; the last three were top-level in older logs. */
const ADMIN_MEMBERS = ['admin_info', 'channel_id', 'channel_name', 'channel_type'];

/** A line as administrators see it, a refusal in the reader's language. */
export function presentLog(line: LogEntity, channelName: string, language: Language = 'en'): LogLineView {
  const other = readOther(line.other);
  return {
    ...sharedMembers(line),
    id: line.id,
    channel: line.channelId,
    channel_name: channelName,
    content: contentIn(language, line.content, other),
    other: JSON.stringify(dispatchIn(language, eventIn(language, other))),
  };
}

/** The details of a line, the provider's message framed in the reader's language. */
function dispatchIn(language: Language, other: Record<string, unknown>): Record<string, unknown> {
  const { admin_info: dispatch } = other;
  if (!isJsonObject(dispatch) || typeof dispatch['upstream_error'] !== 'string') return other;
  return {
    ...other,
    admin_info: { ...dispatch, upstream_error: operatorReasonIn(language, dispatch['upstream_error']) },
  };
}

/**
 * Lines of refusals hold a code and its values, lines of calls notes of the gateway; others, and refusals written before, are shown as
 * they are stored.
 */
export function contentIn(language: Language, stored: string, other: Record<string, unknown>): string {
  const { refusal } = other;
  if (!isJsonObject(refusal) || typeof refusal['code'] !== 'string')
    return other['model_price'] === undefined ? stored : callTextIn(language, stored);
  const values = isJsonObject(refusal['values']) ? refusal['values'] : {};
  return refusalText(refusal['code'], values, language) ?? stored;
}

/** The details of a line, the reason of a failed task in the reader's language. */
function eventIn(language: Language, other: Record<string, unknown>): Record<string, unknown> {
  const { event } = other;
  if (!isJsonObject(event) || event['code'] !== 'task_failed' || typeof event['reason'] !== 'string')
    return other;
  return { ...other, event: { ...event, reason: taskReasonIn(language, event['reason']) } };
}

/**
 * A line as its owner sees it: no channel, no path through the channels, and its position in the list instead of the row id, which
 * would reveal the load of the gateway. Nor the name of the administrator who changed the account.
 */
export function presentOwnLog(line: LogEntity, position: number, language: Language = 'en'): LogLineView {
  const other = readOther(line.other);
  for (const name of ADMIN_MEMBERS) delete other[name];
  const content = contentIn(language, withoutOperator(line, other), other);
  return {
    ...sharedMembers(line),
    id: position,
    channel: 0,
    channel_name: '',
    content,
    other: JSON.stringify(eventIn(language, other)),
  };
}

/** Removes the administrator from the details. @returns the line's text without the name */
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
 * Balance change of a line: the cost of a call, a top-up, or an administrator's adjustment (below 0: a deduction), which only the
 * event of the line holds.
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
  tags: line.tags,
  end_user: line.endUser,
  // The key of a line that is no call makes it unique; it identifies no request.
  request_id: line.requestId?.includes(':') === true ? null : line.requestId,
});
