import type { Outcome } from '../../model/call.js';
import type { Operation } from '../../model/operation.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Usage } from '../../model/usage.js';
import type { Route } from '../../ports/channel-picker.js';
import type { WorstCase, Quote } from '../../ports/price-book.js';
import type { Hold } from '../../ports/quota-holds.js';
import type { RelayOptions } from '../../ports/relay-options.js';
import type { ReplyMeter } from '../../formats/contract/reply-meter.js';
import type { ReplyContext } from '../../formats/contract/api-format.js';
import type { ClientConnection } from './client-connection.js';
import type { RelayPorts } from './relay-ports.js';
import type { ClientCall, TranslatedCall } from './call-types.js';

/** What happened to one attempt. */
export type AttemptEnd =
  /** Nothing of an answer reached the client. */
  | {
      readonly type: 'failed';
      readonly error: RelayError;
      /** An access token had ended, and is forgotten: the same channel may be asked once more. */
      readonly isTokenStale?: true;
    }
  /** Something is to be charged; the client's last bytes wait for `finish`. */
  | ReplyRecord;

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
   * @param billed  what is charged: told where the vendor gave no figures
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
  readonly context: ReplyContext;
  /** The name of the model asks the vendor for more than the request holds (a search). */
  readonly readsMore: boolean;
  /** Account of a person in the playground, whose page leaves an answer when Stop is pressed; undefined = called with a key. */
  readonly playerId: number | undefined;
}
