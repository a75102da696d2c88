import type { LimitScope } from './limits.api';

/** Scopes of limits, in the order of lists. */
export const SCOPES: readonly LimitScope[] = [
  'token',
  'account',
  'group',
  'call_group',
  'end_user',
  'tag',
  'channel',
  'channel_tag',
  'everyone',
];
