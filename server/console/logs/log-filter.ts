import { tagText } from '../../relay-core/model/tag-text.js';
import type { LogStatQuery, SelfLogStatQuery } from './dto/log.dto.js';
import type { LogFilter } from '../../base/logs/logs.repository.js';

/** Filters of a query. With an owner only the owner's lines can match, whatever else the query holds. */
export function toLogFilter(
  query: Omit<SelfLogStatQuery, 'tag' | 'end_user'> &
    Partial<Pick<LogStatQuery, 'username' | 'user_id' | 'channel' | 'failed_attempt' | 'tag' | 'end_user'>>,
  ownerId?: number,
): LogFilter {
  return {
    ...accountOf(ownerId ?? query.user_id ?? 0, ownerId !== undefined),
    type: query.type,
    onlyCalls: query.kind === 'calls',
    username: ownerId === undefined ? (query.username ?? '') : '',
    tokenName: query.token_name,
    modelName: query.model_name,
    channelId: ownerId === undefined ? (query.channel ?? 0) : 0,
    hadFailedAttempt: ownerId === undefined && query.failed_attempt === 1,
    group: query.group,
    requestId: query.request_id.toLowerCase(),
    ...marks(query),
    fromSeconds: query.start_timestamp,
    toSeconds: query.end_timestamp,
  };
}

const accountOf = (userId: number, isOwn: boolean): Pick<LogFilter, 'userId'> =>
  isOwn || userId > 0 ? { userId } : {};

/** Matches no call. */
const NO_MARK = ' ';

/** In the form that calls are marked with. */
function marks({ tag = '', end_user: endUser = '' }: Partial<Pick<LogStatQuery, 'tag' | 'end_user'>>) {
  return {
    ...(tag === '' ? {} : { tag: tagText(tag).text || NO_MARK }),
    ...(endUser === '' ? {} : { endUser: tagText(endUser).text || NO_MARK }),
  };
}
