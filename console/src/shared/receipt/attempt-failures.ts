/** Ways an attempt fails that this console has words for; another one is shown by its own name. */
export const ATTEMPT_FAILURES = [
  'upstream-key-refused',
  'upstream-quota-spent',
  'upstream-rate-limited',
  'upstream-overloaded',
  'upstream-timeout',
  'upstream-unreachable',
  'upstream-request-rejected',
  'upstream-malformed',
  'upstream-broken',
  'channels-full',
  'client-gone',
] as const;
