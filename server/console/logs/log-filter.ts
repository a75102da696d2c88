import type { LogStatQuery, SelfLogStatQuery } from './dto/log.dto.js';
import type { LogFilter } from '../../base/logs/logs.repository.js';

/** The filters of a query. With an owner nothing but his own lines can match, whatever else the query says. */
export function toLogFilter(
  query: SelfLogStatQuery & Partial<Pick<LogStatQuery, 'username' | 'channel'>>,
  ownerId?: number,
): LogFilter {
  return {
    ...(ownerId === undefined ? {} : { userId: ownerId }),
    type: query.type,
    username: ownerId === undefined ? (query.username ?? '') : '',
    tokenName: query.token_name,
    modelName: query.model_name,
    channelId: ownerId === undefined ? (query.channel ?? 0) : 0,
    group: query.group,
    requestId: query.request_id.toLowerCase(),
    fromSeconds: query.start_timestamp,
    toSeconds: query.end_timestamp,
  };
}
