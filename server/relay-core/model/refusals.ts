import type { RelayError, RelayErrorKind } from './relay-error.js';

interface RefusalRow {
  readonly kind: RelayErrorKind;
  readonly blame: 'caller' | 'gateway';
  /** The sentence callers read, the same in every client API; `{mark}` is filled in. */
  readonly says: string;
}

const callers = <K extends RelayErrorKind>(kind: K, says: string) =>
  ({ kind, blame: 'caller', says }) as const;
const ours = <K extends RelayErrorKind>(kind: K, says: string) => ({ kind, blame: 'gateway', says }) as const;

/**
 * Refusals of calls that the gateway itself makes, by what happened. Status, type and code follow from the kind, in each client API.
 * What is wrong with a single field of a request is said where the field is read.
 */
export const REFUSALS = {
  'key-disabled': callers(
    'unauthenticated',
    'This API key is disabled. Enable it in the console or use another one.',
  ),
  'key-expired': callers(
    'unauthenticated',
    'This API key has expired. Extend it in the console or use another one.',
  ),
  'key-unknown': callers(
    'unauthenticated',
    'Incorrect API key provided. Check the key, or create one in the console.',
  ),
  'keys-sent': callers('unauthenticated', 'Send exactly one API key.'),
  'login-ended': callers('unauthenticated', 'Your login has ended.'),
  'keys-unreadable': ours(
    'unavailable',
    'API keys cannot be checked at the moment. Please try again shortly.',
  ),
  'address-refused': callers(
    'address-refused',
    'This API key may not be used from your network address. Its owner can change the allowed addresses.',
  ),
  'account-disabled': callers('account-banned', 'The account of this API key is disabled.'),
  'group-unknown': callers(
    'forbidden',
    'Group {group} does not exist any more. Choose another group for this API key.',
  ),
  'group-closed': callers(
    'forbidden',
    'You have no access to group {group} any more. Choose another group for this API key.',
  ),
  'channel-choice': callers(
    'forbidden',
    'Only administrators may choose a channel with their key. Remove the part after the last hyphen.',
  ),
  'chosen-channel-gone': callers(
    'forbidden',
    'Channel {channel}, which the key asks for, does not exist or is disabled.',
  ),
  'chosen-channel-unfit': callers(
    'forbidden',
    'Channel {channel}, which the key asks for, does not serve model {model} to group {group}.',
  ),
  'chosen-channel-failed': ours('channel-unavailable', 'The channel this call is pinned to failed.'),
  'no-channel': ours('channel-unavailable', 'No available channel for model {model} under group {group}.'),
  'all-channels-failed': ours(
    'channel-unavailable',
    'Every channel for model {model} under group {group} failed.',
  ),
  'model-unknown': callers(
    'model-not-found',
    'The model {model} does not exist or you do not have access to it.',
  ),
  'key-without-models': callers(
    'model-refused',
    'This API key may not use any model. Its owner can change that in the console.',
  ),
  'key-without-model': callers(
    'model-refused',
    'This API key may not use model {model}. Its owner can change that in the console.',
  ),
  'price-missing': ours(
    'price-missing',
    'The price of model {model} is not set. Ask the administrator to set it, or accept models without a price in your personal settings.',
  ),
  'balance-too-small': callers(
    'quota-insufficient',
    'Your balance is too small for this call. Top up, or ask for a shorter answer.',
  ),
  'key-quota-too-small': callers(
    'quota-insufficient',
    'The quota of this API key is too small for this call. Raise it in the console, or ask for a shorter answer.',
  ),
  'accounts-unreachable': ours(
    'unavailable',
    'The gateway cannot reach its accounts at the moment, please try again shortly.',
  ),
  'account-busy': callers(
    'rate-limited',
    'Your account has too many requests under way at once. Wait for some of them to finish.',
  ),
  'words-refused': callers('content-refused', 'The prompt contains words that are not allowed here.'),
  'body-too-large': callers('body-too-large', 'The request body is larger than {megabytes} MB.'),
  'body-no-json': callers('unsupported-media', 'The request body must be JSON.'),
  'address-unknown': callers('not-found', 'Invalid URL ({method} {path})'),
  'address-not-offered': callers('not-implemented', '{method} {path} is not offered by this gateway.'),
  'operation-not-offered': callers(
    'not-implemented',
    'The upstream of this model ({vendor}) does not support this operation.',
  ),
  'realtime-not-offered': callers(
    'not-implemented',
    'The upstream of this model does not offer realtime sessions.',
  ),
  'tasks-not-kept': callers('not-implemented', 'This gateway keeps no earlier tasks to go on from.'),
  'own-call': ours(
    'loop-detected',
    'This call has come back to the gateway that sent it: the address of a channel leads to the gateway itself; tell the administrator.',
  ),
  restarting: ours('unavailable', 'This gateway is restarting. Please try again.'),
  'calls-off': ours('unavailable', 'Calls are switched off at this gateway for now. Please try again later.'),
  'database-behind': ours(
    'unavailable',
    'The database of this gateway is older than it was before. No calls are taken until its operator has decided what to do.',
  ),
  'charges-unrecorded': ours('unavailable', 'The gateway cannot record charges at the moment.'),
  'figures-unreadable': ours(
    'unavailable',
    'The figures are not available right now, please try again shortly.',
  ),
  'gateway-full': ours('unavailable', 'This gateway is at its limit. Please try again.'),
  'files-full': ours('unavailable', 'The gateway holds as many files as it can just now. Please try again.'),
  'fetches-full': ours('unavailable', 'Too many files are being fetched just now. Please try again.'),
  'not-recorded': ours('unavailable', 'The gateway cannot take calls at the moment; please try again later.'),
  'stored-unreadable': ours(
    'unavailable',
    'What this request names cannot be looked up at the moment; please try again later.',
  ),
  'stored-away': ours(
    'unavailable',
    'What this request names is kept at an upstream that is not available at the moment; please try again later.',
  ),
  'session-quota': ours(
    'unavailable',
    'The session was ended because quota for more of it could not be set aside.',
  ),
  'session-too-long': ours('limit-reached', 'The session took longer than is allowed.'),
  'session-silent': ours('limit-reached', 'Nothing was said for a long time; the session was ended.'),
  'session-failed': ours('internal', 'The gateway failed while handling this session.'),
  'call-failed': ours('internal', 'The gateway failed while handling this call.'),
  failed: ours('internal', 'The gateway failed.'),
  'shutting-down': ours('shutting-down', 'This gateway is shutting down.'),
  'client-left': callers('client-gone', 'The client closed the connection.'),
} as const satisfies Readonly<Record<string, RefusalRow>>;

export type RefusalName = keyof typeof REFUSALS;

/** Kind, blame and sentence of a refusal; what its kind has beside them (`retryAfterMs`, `scope`, `param`) is added by who refuses. */
export function refusal<N extends RefusalName>(
  name: N,
  facts: Readonly<Record<string, string | number>> = {},
): {
  readonly kind: (typeof REFUSALS)[N]['kind'];
  readonly blame: (typeof REFUSALS)[N]['blame'];
  readonly message: string;
} {
  const { kind, blame, says }: (typeof REFUSALS)[N] = REFUSALS[name];
  return {
    kind,
    blame,
    message: says.replaceAll(/\{(\w+)\}/g, (mark, fact: string) => String(facts[fact] ?? mark)),
  };
}

type WaitingKind = RelayError extends infer Failure
  ? Failure extends { readonly kind: infer Kind extends RelayErrorKind; readonly retryAfterMs: number }
    ? Kind
    : never
  : never;

const WAITING: Readonly<Record<WaitingKind, true>> = { 'rate-limited': true, unavailable: true };

/** When a refusal says when to come again (`Retry-After`). */
export function retryAfterOf(kind: RelayErrorKind): string {
  if (kind in WAITING) return 'always';
  return kind.startsWith('upstream-') ? 'as the upstream says' : '–';
}
