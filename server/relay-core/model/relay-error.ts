import type { ShownLimit } from './limit-refusal.js';

/** A vendor's refusal in its own words. */
export interface VendorErrorInfo {
  /** Status of the upstream, before the operator's mapping; undefined = the refusal came without one, inside a success. */
  readonly status?: number;
  /** Never empty. */
  readonly sentence: string;
}

/**
 * Every way a call can fail. `message` may be shown to the caller (no keys, hosts or library texts in it);
 * `cause` is for the operator's log only.
 */
export type RelayError = {
  readonly message: string;
  readonly cause?: unknown;
} & (
  | {
      readonly kind: 'unauthenticated' | 'address-refused' | 'account-banned' | 'forbidden';
      readonly blame: 'caller';
      readonly code?: 'group_not_allowed';
    }
  | {
      readonly kind:
        'invalid-request' | 'body-too-large' | 'unsupported-media' | 'model-refused' | 'content-refused';
      readonly blame: 'caller';
      /** Name of the offending field, when there is one. */
      readonly param?: string;
      /** A narrower code than the kind's own. */
      readonly code?:
        | 'prompt_blocked'
        | 'model_required'
        | 'access_token_not_supported'
        | 'previous_response_not_found'
        | 'end_user_required';
      /** Error details for programs, where the caller's API has such a member. */
      readonly details?: Readonly<Record<string, unknown>>;
    }
  | {
      readonly kind: 'not-found' | 'not-implemented' | 'model-not-found';
      readonly blame: 'caller';
      /** Name of the field that names what is not there. */
      readonly param?: string;
      /** Error details for programs, where the caller's API has such a member. */
      readonly details?: Readonly<Record<string, unknown>>;
    }
  | {
      readonly kind: 'rate-limited';
      readonly blame: 'caller';
      readonly retryAfterMs: number;
      /** Absent for the request limits of a group, and calls at once of an account. */
      readonly limit?: ShownLimit;
      /** Model that the call may go on with; never shown. Absent = none. */
      readonly fallbackModel?: string;
    }
  | {
      readonly kind: 'limit-full';
      readonly blame: 'caller';
      /** Absent from one hour on, and when waiting does not help. */
      readonly retryAfterMs?: number;
      readonly limit: ShownLimit;
      /** Model that the call may go on with; never shown. Absent = none. */
      readonly fallbackModel?: string;
    }
  | { readonly kind: 'quota-insufficient'; readonly blame: 'caller'; readonly scope: 'user' | 'token' }
  | { readonly kind: 'price-missing'; readonly blame: 'gateway' }
  | {
      readonly kind: 'channel-unavailable';
      readonly blame: 'gateway';
      /** No channel serves the model at all, rather than none just now: the same call again changes nothing. */
      readonly isUnserved?: true;
      readonly code?: 'get_playground_channel_failed';
    }
  | {
      /** Limits of all channels that serve the call are full. */
      readonly kind: 'channels-full';
      readonly blame: 'gateway';
      /** Until the first of them opens; absent = none opens by itself. */
      readonly retryAfterMs?: number;
    }
  | { readonly kind: 'unavailable'; readonly blame: 'gateway'; readonly retryAfterMs: number }
  | {
      readonly kind: 'shutting-down' | 'internal' | 'limit-reached' | 'loop-detected';
      readonly blame: 'gateway';
    }
  | { readonly kind: 'client-gone'; readonly blame: 'caller' }
  | {
      readonly kind:
        | 'upstream-key-refused'
        | 'upstream-quota-spent'
        | 'upstream-rate-limited'
        | 'upstream-overloaded'
        | 'upstream-timeout'
        | 'upstream-unreachable'
        | 'upstream-request-rejected'
        | 'upstream-malformed'
        | 'upstream-broken';
      readonly blame: 'upstream';
      /** Status the upstream answered with; undefined when it did not answer. */
      readonly upstreamStatus?: number;
      /** The operator has set the status that callers get for the upstream's (`status_code_mapping`); then `upstreamStatus` is it. */
      readonly isStatusMapped?: true;
      /** Vendor's own type, code and param when it sent them: they are shown to the caller unchanged. */
      readonly vendorType?: string;
      readonly vendorCode?: string;
      readonly vendorParam?: string;
      /** Message of the vendor, secrets cut out: for the operator alone. */
      readonly vendorSays?: VendorErrorInfo;
      readonly retryAfterMs?: number;
      /** Subject of the refusal, where the APIs have a code and a message for it. */
      readonly reason?: FailureReason;
      /** No other channel could answer: the same call again meets the same. */
      readonly isExhausted?: true;
      /** The operator's own rules refused the call: no other channel is tried. */
      readonly isFinal?: true;
    }
);

/** Subject of an upstream's refusal; each client API has a code and a message of its own for it. */
export type FailureReason =
  | { readonly is: 'too-long'; readonly used?: number; readonly most?: number }
  | { readonly is: 'overloaded' | 'no-model' };

/** Subject of a refusal by an upstream or an OpenAI-compatible provider; undefined = none. */
export const reasonIn = (error: RelayError): FailureReason | undefined =>
  error.blame === 'upstream' && !isAboutChannel(error) ? error.reason : undefined;

/** True when no channel serves the model at all: it is unknown here, rather than away. */
export const isUnknownModel = (error: RelayError): boolean =>
  error.kind === 'channel-unavailable' && error.isUnserved === true && error.code === undefined;

/** Subject of an exhausted quota, in each client API's own place: the account, or only the key in use. */
export const QUOTA_CODES = {
  user: 'insufficient_user_quota',
  token: 'pre_consume_token_quota_failed',
} as const;

/** Undefined = something else failed. */
export const quotaCode = (error: RelayError): (typeof QUOTA_CODES)['user' | 'token'] | undefined =>
  error.kind === 'quota-insufficient' ? QUOTA_CODES[error.scope] : undefined;

/** Refusals that the same call meets again until the call, the account or the gateway is changed. */
const FINAL_KINDS: ReadonlySet<string> = new Set([
  'unauthenticated',
  'address-refused',
  'account-banned',
  'forbidden',
  'invalid-request',
  'body-too-large',
  'unsupported-media',
  'model-refused',
  'content-refused',
  'loop-detected',
  'not-found',
  'not-implemented',
  'model-not-found',
  'quota-insufficient',
  'limit-full',
  'price-missing',
]);

/** The official SDKs retry every 5xx by themselves unless a header forbids it. */
export const isFinalFailure = (error: RelayError): boolean =>
  FINAL_KINDS.has(error.kind) ||
  (error.kind === 'channel-unavailable' && error.isUnserved === true) ||
  (error.blame === 'upstream' && error.isExhausted === true);

export type RelayErrorKind = RelayError['kind'];

/**
 * Status callers are shown for an upstream's own refusal; undefined = that of the kind. The channel's account at its vendor is not
 * the caller's fault, and a program that gets 401 or 402 throws its own good key away. A success that was none, or a redirect, is
 * our 502.
 */
export function shownUpstreamStatus(error: RelayError): number | undefined {
  if (error.blame !== 'upstream' || (isAboutChannel(error) && error.isStatusMapped !== true))
    return undefined;
  const { upstreamStatus: status } = error;
  return status !== undefined && status >= 400 && status <= 599 ? status : undefined;
}

/** The vendor's own message about a failure, as a member of its record; none without a message. */
export function vendorErrorIn(error: RelayError | undefined): { readonly vendorSays?: VendorErrorInfo } {
  return error?.blame === 'upstream' && error.vendorSays !== undefined
    ? { vendorSays: error.vendorSays }
    : {};
}

/** Text of a vendor's message for operators. */
export const vendorErrorText = ({ status, sentence }: VendorErrorInfo): string =>
  status === undefined ? `The provider said: ${sentence}` : `The provider answered ${status}: ${sentence}`;

/** Text of a failure for operators: the vendor's status and message if there is one, else the caller's text. */
export function operatorSentence(error: RelayError): string {
  const said = error.blame === 'upstream' ? error.vendorSays : undefined;
  return said === undefined ? error.message : vendorErrorText(said);
}

/** The channel's key or account is at fault: what the vendor calls that would be read as the caller's. */
export const isAboutChannel = (error: RelayError): boolean =>
  error.kind === 'upstream-key-refused' || error.kind === 'upstream-quota-spent';

/** An upstream's refusal under the status the operator mapped it to. @param answered  the upstream's own */
export function withMappedStatus(error: RelayError, answered: number): RelayError {
  if (error.blame !== 'upstream') return error;
  const { vendorSays: said } = error;
  const vendorSays = said === undefined ? {} : { vendorSays: { ...said, status: answered } };
  return { ...error, ...vendorSays, isStatusMapped: true };
}
