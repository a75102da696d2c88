import type { Quota } from '../../common/quota.js';
import type { Operation } from './operation.js';
import type { PriceSnapshot } from './price-snapshot.js';
import type { RelayError, VendorErrorInfo } from './relay-error.js';
import type { AcceptedTask, Submission } from './task.js';
import type { ChannelMarks } from './channel-use.js';
import type { Evidence, Usage } from './usage.js';
import type { Warning } from './warning.js';

/** A call as it came over the wire. Bytes are kept: pass-through is byte-exact and a retry translates again. */
export interface IncomingCall {
  /** UUIDv7; also X-Request-Id, settlement key and log key. */
  readonly callId: string;
  readonly path: string;
  /** Model named by the address (`/v1/engines/{model}/embeddings`), decoded; undefined = the body names it. */
  readonly pathModel: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  /** Query string without its question mark. */
  readonly query: string;
  readonly receivedAtMs: number;
  /** Address of the client behind the trusted proxies. */
  readonly clientAddress: string;
}

/** The token and the account behind a call. */
export interface Caller {
  readonly userId: number;
  /** Identifies the account in records of money beside its number, which may be another's after a restore; absent = no account pays. */
  readonly accountUid?: string;
  readonly username: string;
  /** Null in the playground. */
  readonly tokenId: number | null;
  /** Same as `accountUid`, for the token; absent in the playground. */
  readonly tokenUid?: string;
  readonly tokenName: string;
  /** A limited token has a pool of its own beside the user's. */
  readonly tokenLimited: boolean;
  /** Effective group: the token's, else the user's. */
  readonly group: string;
  /** Group of the account itself; absent = `group`. */
  readonly userGroup?: string;
  /** Null = every model. */
  readonly modelLimits: ReadonlySet<string> | null;
  readonly acceptsUnsetPrice: boolean;
  /** Administrators may pin a call to one channel by the key suffix. */
  readonly pinnedChannelId: number | null;
  /** Tags of the token, and once the call is parsed of the call as well; absent = none. */
  readonly tags?: readonly string[];
  /** The end user that the call names; absent = none. */
  readonly endUser?: string;
  /** Calls of the token that name no end user are refused. */
  readonly needsEndUser?: true;
  /** A test of a channel of our own, which no account pays. */
  readonly isChannelTest?: true;
}

/** A tool of the vendor's own that the request offers to the model; each use of it is paid. */
export interface VendorTool {
  /** Name as in `Usage.tools`. */
  readonly name: string;
  /** Which of several prices of this tool (`web_search_preview`, `google_search`); absent = the usual one. */
  readonly priceKey?: string;
  /** Most uses the request allows; absent = not given. */
  readonly mostUses?: number;
  /** Context size of a search, if the request names one. */
  readonly contextSize?: 'low' | 'medium' | 'high';
}

/** Properties of the request that stages need without translating it. */
export interface CallShape {
  readonly operation: Operation;
  readonly model: string;
  readonly stream: boolean;
  /** Output cap the caller asked for; undefined = none. */
  readonly outputCap: number | undefined;
  /** Answers asked for (`n`); multiplies the output estimate. */
  readonly choices: number;
  /** Prompt tokens, estimated from the bytes. */
  readonly promptTokens: number;
  /** The client wants the usage frame of a stream for itself. */
  readonly wantsStreamUsage: boolean;
  /** Streams of the caller's format that are not event streams (Gemini's JSON array). */
  readonly streamForm?: 'sse' | 'json-array';
  /** Exact decimal the price of one unit (`Usage.units`) is multiplied with (size × quality); absent = 1. */
  readonly callFactor?: string;
  /** Size and quality behind the factor, in words. */
  readonly callFactorName?: string;
  /** Size and quality the call is logged with. */
  readonly pictureTerms?: string;
  /** Requested quality and size of images, which a reply may not repeat. */
  readonly asked?: { readonly quality: string | undefined; readonly size: string | undefined };
  /** Task of an operation that has several. */
  readonly task?: 'generate' | 'edit' | 'vary' | 'transcribe' | 'translate';
  /** Tools the vendor runs and charges for; absent = none asked. */
  readonly vendorTools?: readonly VendorTool[];
  /** Class of service the caller asked for; `auto` = the vendor decides. Absent = none asked. */
  readonly serviceTier?: string;
  /** Task requested by a submission; absent = it is none. */
  readonly submission?: Submission;
  /** Output tokens one answer is held for, when callers cannot cap them (images, audio); absent = by the price book. */
  readonly heldOutput?: { readonly tokens: number; readonly kind: 'text' | 'audio' | 'image' };
}

/** Output limits of a request as it is sent to one channel. */
export interface OutputLimits {
  /** Output tokens of one answer; undefined = the request names no cap the vendor reads. */
  readonly outputCap: number | undefined;
  /** A cap under a name that only some servers read: it may stand for more output, never for less. */
  readonly otherCap?: number;
  readonly choices: number;
  /** The vendor may write the prompt to its cache, for marks that the gateway set. */
  readonly writesCache?: true;
}

/** End of a call. */
export type Outcome = 'ok' | 'partial' | 'client_abort' | 'limit' | 'recovered';

/** One try at one channel, in order. */
export interface Attempt {
  readonly channelId: number;
  readonly channelName: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** Undefined = it answered. */
  readonly failure?: RelayError['kind'];
  readonly upstreamStatus?: number;
  /** Usage that the vendor reported of an attempt that failed: for the operator, never charged. Absent = nothing. */
  readonly billedUsage?: Usage;
  /** Error details of the upstream, for the operator alone; absent = none. */
  readonly vendorSays?: VendorErrorInfo;
}

/**
 * Everything known about a call that went upstream and is to be charged: written to the spool as one record,
 * from which the settlement, the log line and all counters are booked.
 */
export interface FinishedCall {
  readonly callId: string;
  readonly caller: Caller;
  readonly shape: Pick<CallShape, 'operation' | 'model' | 'stream' | 'pictureTerms'>;
  readonly channelId: number;
  readonly upstreamModel: string;
  readonly isModelMapped: boolean;
  /** The upstream has the caller's API, so that nothing was translated between two; absent = unknown. */
  readonly isNative?: boolean;
  readonly usage: Usage;
  readonly evidence: Evidence;
  readonly outcome: Outcome;
  readonly snapshot: PriceSnapshot;
  /** price(usage, snapshot): the charge before the floor is looked at. */
  readonly priced: Quota;
  readonly startedAtMs: number;
  /** Milliseconds from the start to the first byte of content; undefined = nothing came. */
  readonly firstByteMs: number | undefined;
  readonly durationMs: number;
  readonly attempts: readonly Attempt[];
  /** Endpoint path, for the log. */
  readonly path: string;
  /** Failure text for partial endings; empty when all went well. */
  readonly note: string;
  /** Upstream's own message about a failure in the middle of the answer, for the operator alone; absent = none. */
  readonly vendorSays?: VendorErrorInfo;
  /** Task the upstream accepted and finishes later; absent = it answered. */
  readonly task?: AcceptedTask;
  /** Requested effort of thinking, in the caller's own word; absent = none. */
  readonly effort?: string;
  /** Limits of the channel that the charge counts under; absent = none. */
  readonly channelMarks?: ChannelMarks;
  /** Parts of the request that were not sent to the upstream; absent = none. */
  readonly warnings?: readonly Warning[];
}
