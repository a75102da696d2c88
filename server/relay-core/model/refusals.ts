import type { RelayError, RelayErrorKind } from './relay-error.js';

interface RefusalRow {
  readonly kind: RelayErrorKind;
  readonly blame: 'caller' | 'gateway' | 'upstream';
  /** The sentence callers read, the same in every client API; `{mark}` is filled in. */
  readonly message: string;
}

const callers = <K extends RelayErrorKind>(kind: K, message: string) =>
  ({ kind, blame: 'caller', message }) as const;
const ours = <K extends RelayErrorKind>(kind: K, message: string) =>
  ({ kind, blame: 'gateway', message }) as const;
const upstreams = <K extends RelayErrorKind>(kind: K, message: string) =>
  ({ kind, blame: 'upstream', message }) as const;

/**
 * Every message of a failed call, by its cause. Status, type and code follow from the kind, in each client API. The only other
 * messages are a vendor's own, and those about a malformed request (`invalid-request`), which are written where it is read.
 */
export const REFUSALS = {
  'key-disabled': callers(
    'unauthenticated',
    'This API key is disabled. Enable it in the console or use another one.',
  ),
  'key-locked': callers(
    'unauthenticated',
    'An administrator has disabled this API key. The reason is in the console; use another key.',
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
  'key-missing-openai': callers(
    'unauthenticated',
    'You did not provide an API key. Send it in the Authorization header: "Authorization: Bearer YOUR_KEY".',
  ),
  'key-missing-anthropic': callers(
    'unauthenticated',
    'You did not provide an API key. Send it in the x-api-key header: "x-api-key: YOUR_KEY".',
  ),
  'key-missing-gemini': callers(
    'unauthenticated',
    'You did not provide an API key. Send it in the x-goog-api-key header.',
  ),
  'key-unreadable': callers(
    'unauthenticated',
    'The Authorization header must read "Bearer" and one API key.',
  ),
  'keys-differ': callers('unauthenticated', 'Two different API keys were sent; send exactly one.'),
  'login-ended': callers('unauthenticated', 'Your login has ended.'),
  'keys-unreadable': ours(
    'unavailable',
    'API keys cannot be checked at the moment. Please try again shortly.',
  ),
  'address-refused': callers(
    'address-refused',
    'This API key may not be used from your network address. Its owner can change the allowed addresses.',
  ),
  'end-user-missing': callers(
    'invalid-request',
    'Calls with this API key must name their end user, for example in the header x-tollgate-end-user.',
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
  'group-not-offered': callers('forbidden', 'This group is not offered to your account.'),
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
  /** After a failed attempt, whose own refusal the caller reads instead. */
  'none-left': ours('channel-unavailable', 'No channel is left to try.'),
  'drawing-channel-gone': ours('channel-unavailable', 'The channel of this drawing is not available.'),
  'task-channel-gone': ours(
    'channel-unavailable',
    'The channel of the task this one goes on from is not available.',
  ),
  'channels-full': ours(
    'channels-full',
    'No channel of this model has room for the call at the moment. Please try again later.',
  ),
  'channel-limit': ours('channels-full', 'The answer was ended: its channel has no room for more of it.'),
  'no-channel': ours('channel-unavailable', 'No available channel for model {model} under group {group}.'),
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
  'successes-full': callers(
    'rate-limited',
    'You have reached the limit of {most} successful requests in {period}.',
  ),
  'requests-full': callers(
    'rate-limited',
    'You have reached the limit of {most} requests in {period}; failed ones count too.',
  ),
  'too-often': callers('rate-limited', 'Too many requests, please try again later.'),
  'limit-window': callers(
    'rate-limited',
    'The limit "{limit}" of {amount} a {period} for {scope} is reached. Wait: it has room again at {opens}.',
  ),
  'limit-in-flight': callers(
    'rate-limited',
    'The limit "{limit}" of {amount} for {scope} is reached. Wait for a call to finish.',
  ),
  'limit-period': callers(
    'limit-full',
    'The limit "{limit}" of {amount} a {period} for {scope} is reached. It has room again at {opens}.',
  ),
  'limit-used-up': callers(
    'limit-full',
    'The limit "{limit}" of {amount} in total for {scope} is reached. It does not start anew.',
  ),
  'limit-below-call': callers(
    'limit-full',
    'This call may use {needed}, more than the limit "{limit}" of {amount} for {scope} ever allows. Ask for a shorter answer.',
  ),
  'words-refused': callers('content-refused', 'The prompt contains words that are not allowed here.'),
  'prompt-refused': callers('content-refused', 'The model refused the prompt: {why}.'),
  'body-too-large': callers('body-too-large', 'The request body is larger than {megabytes} MB.'),
  'body-no-json': callers('unsupported-media', 'The request body must be JSON.'),
  'json-wanted': callers(
    'unsupported-media',
    'The request body must be JSON. Send it with the header Content-Type: application/json.',
  ),
  'form-wanted': callers(
    'unsupported-media',
    'The request body must be a form. Send it with the header Content-Type: multipart/form-data.',
  ),
  'json-or-form-wanted': callers(
    'unsupported-media',
    'The request body must be JSON or a form. Send it with the header Content-Type: application/json or multipart/form-data.',
  ),
  'coding-unknown': callers(
    'unsupported-media',
    'This Content-Encoding is not understood. Send the body as it is, or as one of: {codings}.',
  ),
  'charset-foreign': callers('unsupported-media', 'The request body must be encoded in UTF-8.'),
  'address-unknown': callers('not-found', 'Invalid URL ({method} {path})'),
  'address-mistyped': callers('not-found', 'Invalid URL ({method} {path}). Use {served}.'),
  'address-not-offered': callers('not-implemented', '{method} {path} is not offered by this gateway.'),
  'stored-unknown-openai': callers('not-found', "{noun} with id '{id}' not found{where}."),
  'stored-unknown-anthropic': callers('not-found', '{noun} not found{where}: {id}'),
  'stored-unknown-gemini': callers('not-found', '{noun} {id} not found{where}.'),
  'channel-unknown': callers('not-found', 'Channel not found.'),
  'channel-type-unknown': callers('not-implemented', 'Channel type {type} does not exist.'),
  'channel-type-unserved': callers(
    'not-implemented',
    'Channels of type {type} are not implemented yet in this version.',
  ),
  'models-not-listed': callers('not-implemented', '{vendor} offers no list of its models.'),
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
  'seeds-full': ours('unavailable', 'Too many seeds are being asked for just now. Please try again.'),
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
  'answer-quota': ours(
    'unavailable',
    'The answer was cut because quota for more of it could not be set aside.',
  ),
  'answer-quota-spent': ours('limit-reached', 'The quota set aside for this answer is used up.'),
  'answer-above-cap': ours('limit-reached', 'The answer grew longer than the request allows.'),
  'answer-too-large': ours('limit-reached', 'The answer grew larger than is allowed.'),
  'answer-too-long': ours('limit-reached', 'The answer took longer than is allowed.'),
  'session-too-long': ours('limit-reached', 'The session took longer than is allowed.'),
  'session-silent': ours('limit-reached', 'Nothing was said for a long time; the session was ended.'),
  'event-late': ours('limit-reached', 'An event was not complete after a minute; the session was ended.'),
  'session-failed': ours('internal', 'The gateway failed while handling this session.'),
  'call-failed': ours('internal', 'The gateway failed while handling this call.'),
  failed: ours('internal', 'The gateway failed.'),
  'shutting-down': ours('shutting-down', 'This gateway is shutting down.'),
  'client-left': callers('client-gone', 'The client closed the connection.'),
  'client-stalled': callers('client-gone', 'The client took nothing for a minute.'),
  'base-missing': upstreams(
    'upstream-unreachable',
    'The channel has no base address; ask the administrator to enter one.',
  ),
  'base-missing-azure': upstreams(
    'upstream-unreachable',
    'The channel has no base address; ask the administrator to enter the one of its Azure resource.',
  ),
  'base-unusable': upstreams(
    'upstream-unreachable',
    'The base address of the channel cannot be used; ask the administrator to check it.',
  ),
  unreachable: upstreams('upstream-unreachable', 'The upstream could not be reached.'),
  'proxy-refused': upstreams(
    'upstream-unreachable',
    "The channel's proxy did not let the call through; tell the administrator.",
  ),
  'policy-refused': upstreams(
    'upstream-unreachable',
    "The channel's address is not allowed by the policy for outbound calls; tell the administrator.",
  ),
  'tokens-unreachable': upstreams(
    'upstream-unreachable',
    "The upstream's token service could not be reached.",
  ),
  'drawing-unasked': upstreams('upstream-unreachable', 'The upstream of this drawing could not be asked.'),
  late: upstreams('upstream-timeout', 'The upstream did not answer in time.'),
  'token-late': upstreams('upstream-timeout', 'The upstream gave no access token in time.'),
  'session-late': upstreams('upstream-timeout', 'The session was opened, but its first event did not come.'),
  'no-token': upstreams('upstream-overloaded', 'The upstream gave no access token just now.'),
  'channels-busy': upstreams(
    'upstream-rate-limited',
    'The channels of this model are busy at the moment; please try again later.',
  ),
  'channel-key-refused': upstreams(
    'upstream-key-refused',
    "The upstream refused the channel's credentials; tell the administrator.",
  ),
  'channel-key-unusable': upstreams(
    'upstream-key-refused',
    'The key of the channel cannot be used: {why}; tell the administrator.',
  ),
  'region-refused': upstreams(
    'upstream-key-refused',
    "The upstream does not serve the gateway's region; tell the administrator.",
  ),
  'channel-spent': upstreams(
    'upstream-quota-spent',
    "The channel's account at the upstream is used up; tell the administrator.",
  ),
  'status-alone': upstreams('upstream-request-rejected', 'The upstream answered with status {status}.'),
  'deployment-missing': upstreams(
    'upstream-request-rejected',
    'The deployment of this model does not exist at the upstream; tell the administrator.',
  ),
  'rule-refused': upstreams('upstream-request-rejected', 'The call was refused by a rule of the operator.'),
  'task-refused': upstreams('upstream-request-rejected', 'The upstream did not take the task on.'),
  'no-seed': upstreams('upstream-request-rejected', 'The upstream of this drawing did not say its seed.'),
  'picture-unmade': upstreams('upstream-request-rejected', 'The model answered without a picture.'),
  'ended-with-error': upstreams('upstream-overloaded', 'The upstream ended the answer with an error.'),
  'ended-with': upstreams('upstream-overloaded', 'The model ended its answer with {reason}.'),
  'begun-again': upstreams(
    'upstream-overloaded',
    'The upstream began another answer before this one was complete.',
  ),
  'page-between': upstreams(
    'upstream-malformed',
    'Something on the way to the upstream answered with a page of its own.',
  ),
  'too-much': upstreams('upstream-malformed', 'The upstream answered more than is allowed.'),
  unreadable: upstreams('upstream-malformed', 'The upstream answered something that cannot be read.'),
  empty: upstreams('upstream-malformed', 'The upstream gave an empty answer.'),
  unfit: upstreams('upstream-malformed', 'The upstream answered in a form that does not fit the request.'),
  'other-kind': upstreams('upstream-malformed', 'The upstream answered something that is not {wanted}.'),
  'no-pictures': upstreams('upstream-malformed', 'The upstream gave no pictures.'),
  'without-picture': upstreams('upstream-malformed', 'The upstream answered without a picture.'),
  'no-transcript': upstreams('upstream-malformed', 'The upstream gave no transcript.'),
  'no-judgement': upstreams('upstream-malformed', 'The upstream gave no judgement.'),
  'vectors-differ': upstreams(
    'upstream-malformed',
    'The upstream gave {vectors} vectors for {inputs} inputs.',
  ),
  'task-unsaid': upstreams('upstream-malformed', 'The upstream did not say whether it took the task on.'),
  'no-answer': upstreams('upstream-malformed', 'The upstream sent no answer.'),
  'no-model-list': upstreams('upstream-malformed', 'The answer is not a list of models.'),
  'event-too-much': upstreams(
    'upstream-malformed',
    'The upstream sent an event that is beyond what this gateway reads.',
  ),
  'session-not-opened': upstreams('upstream-malformed', 'The upstream did not open a session.'),
  'session-not-begun': upstreams('upstream-broken', 'The upstream refused to begin a session.'),
  'session-closed': upstreams('upstream-broken', 'The upstream closed the session before it began.'),
  'session-fault': upstreams('upstream-broken', 'The upstream failed in the middle of the session.'),
  'session-ended': upstreams('upstream-broken', 'The upstream ended the session.'),
  'answer-incomplete': upstreams('upstream-broken', 'The upstream ended the answer before it was complete.'),
  'broken-off': upstreams('upstream-broken', 'The upstream broke off the connection.'),
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
  const { kind, blame, message }: (typeof REFUSALS)[N] = REFUSALS[name];
  return {
    kind,
    blame,
    message: message.replaceAll(/\{(\w+)\}/g, (mark, fact: string) => String(facts[fact] ?? mark)),
  };
}

type WaitingKind = RelayError extends infer Failure
  ? Failure extends { readonly kind: infer Kind extends RelayErrorKind; readonly retryAfterMs: number }
    ? Kind
    : never
  : never;

const WAITING: Readonly<Record<WaitingKind, true>> = { 'rate-limited': true, unavailable: true };

/** Time of the next try (`Retry-After`) of a refusal. */
export function retryAfterOf(kind: RelayErrorKind): string {
  if (kind in WAITING) return 'always';
  if (kind === 'limit-full') return 'below one hour';
  if (kind === 'channels-full') return 'as known';
  return kind.startsWith('upstream-') ? 'from the upstream' : '–';
}

/** Refusal of a request that cannot be carried out as it is. */
export const requestRefusal = (message: string, param?: string): RelayError => ({
  kind: 'invalid-request',
  blame: 'caller',
  message,
  ...(param === undefined ? {} : { param }),
});
