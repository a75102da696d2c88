import type { Failure } from './messages';

export type FailureKind =
  | 'balance'
  | 'price'
  | 'model'
  | 'group'
  | 'busy'
  | 'context'
  | 'unreachable'
  | 'broken'
  | 'gateway'
  | 'request';

const KIND_OF_CODE: Readonly<Record<string, FailureKind>> = {
  insufficient_user_quota: 'balance',
  model_price_error: 'price',
  get_playground_channel_failed: 'model',
  model_not_found: 'model',
  model_not_allowed: 'model',
  model_required: 'model',
  group_not_allowed: 'group',
  rate_limit_exceeded: 'busy',
  too_many_requests: 'busy',
  context_length_exceeded: 'context',
};

/** Cause of a failure, by the code of the gateway, else by the status. */
export function failureKind({ code, status }: Failure): FailureKind {
  if (Object.hasOwn(KIND_OF_CODE, code)) return KIND_OF_CODE[code] ?? 'request';
  if (status === 0) return 'unreachable';
  if (status === 200) return 'broken';
  if (status === 429) return 'busy';
  return status >= 500 ? 'gateway' : 'request';
}
