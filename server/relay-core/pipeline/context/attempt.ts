import type { Outcome } from '../../model/call.js';
import type { Operation } from '../../model/operation.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Usage } from '../../model/usage.js';
import type { ChannelAdmission } from '../../ports/channel-limits.js';
import type { Route } from '../../ports/channel-picker.js';
import type { WorstCase, Quote } from '../../ports/price-book.js';
import type { Hold } from '../../ports/quota-holds.js';
import type { RelayOptions } from '../../ports/relay-options.js';
import type { ReplyMeter } from '../../formats/contract/reply-meter.js';
import type { ReplyContext } from '../../formats/contract/api-format.js';
import type { ClientConnection } from './client-connection.js';
import type { RelayPorts } from './relay-ports.js';
import type { ClientCall, TranslatedCall } from './call-types.js';

/** Result of one attempt. */
export type AttemptEnd =
  /** Nothing of an answer reached the client. */
  | {
      readonly type: 'failed';
      readonly error: RelayError;
      /** An access token had ended, and is removed: the same channel may be tried once more. */
      readonly isTokenStale?: true;
      /** Reply without content that the vendor bills; absent = none. */
      readonly billed?: BilledReply;
    }
  /** Something is to be charged; the client's last bytes wait for `finish`. */
  | ReplyRecord;

/** A reply without content and the tokens that its vendor bills. No caller is charged for it. */
export interface BilledReply {
  readonly usage: Usage;
  /** Sends the reply unchanged with status 200; undefined = the client uses another API. */
  readonly passOn?: () => void;
}

/** Called once, when everything of the attempt is put away. */
export type OnAttemptEnd = (end: AttemptEnd) => void;

export interface ReplyRecord {
  readonly type: 'ended';
  readonly outcome: Outcome;
  readonly meter: ReplyMeter;
  /** Why it ended early; undefined when it did not. */
  readonly error: RelayError | undefined;
  /** Monotonic time of the first content; undefined = none came. */
  readonly firstContentMs: number | undefined;
  /** It came to its end, with or without its client. */
  readonly isWhole: boolean;
  /** Events of a stream that could not be read and were left out. */
  readonly unreadEvents: number;
  /**
   * Gives the client its end. Called once, after the settlement is on record.
   * @param billed  charged usage: given where the vendor reported no figures
   */
  finish(billed: Usage): void;
}

export interface RelayInput<O extends Operation> {
  readonly ports: RelayPorts;
  readonly options: RelayOptions;
  readonly client: ClientConnection;
  readonly clientCall: ClientCall<O>;
  readonly translated: TranslatedCall<O>;
  readonly route: Route;
  readonly quote: Quote;
  readonly worstCase: WorstCase;
  readonly holdRef: { hold: Hold };
  /** Room under the limits of the channel; absent = it has none. */
  readonly admission?: ChannelAdmission | undefined;
  readonly context: ReplyContext;
  /** The name of the model asks the vendor for more than the request holds (a search). */
  readonly readsMore: boolean;
  /** Account of a person in the playground, whose page leaves an answer when Stop is pressed; undefined = called with a key. */
  readonly playerId: number | undefined;
}

/** A request that left, and by which way. */
export interface SentRequest {
  readonly route: Route;
  readonly worstCase: WorstCase;
  readonly body: Buffer | undefined;
  /** The upstream has the caller's API. */
  readonly isNative: boolean;
}
