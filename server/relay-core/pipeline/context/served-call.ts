import type { Attempt, Caller, IncomingCall } from '../../model/call.js';
import type { Operation } from '../../model/operation.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Warning } from '../../model/warning.js';
import type { ChannelView } from '../../ports/channel-picker.js';
import type { Quote } from '../../ports/price-book.js';
import type { RelayOptions } from '../../ports/relay-options.js';
import type { ClientConnection } from './client-connection.js';
import type { RelayPorts } from './relay-ports.js';
import type { ClientCall } from './call-types.js';

/** Listener to the end of a call. Only its first report counts. */
export interface CallEnd {
  /** It was answered, or refused. */
  onOver(): void;
  /** A bug, or a spool that cannot be written: there is no answer. */
  onFault(fault: unknown): void;
}

/** A call that was understood, may be made and has a price. */
export interface ServedCall<O extends Operation> {
  readonly ports: RelayPorts;
  readonly call: IncomingCall;
  readonly operation: O;
  readonly client: ClientConnection;
  /** Monotonic start of the call. */
  readonly startedMs: number;
  readonly caller: Caller;
  readonly clientCall: ClientCall<O>;
  /** Warnings about tags and end users that were cut or left out. */
  readonly tagWarnings: readonly Warning[];
  readonly quote: Quote;
  /** Options and channels at the time of the quote: of one revision, like the price itself. */
  readonly options: RelayOptions;
  readonly channels: ChannelView | undefined;
  /**
   * Answers a failure without a charge, records it and ends the call.
   * @param passOn  gives the client the vendor's own reply with status 200 instead of the error
   */
  refuse(error: RelayError, attempts?: readonly Attempt[], passOn?: () => void): void;
  readonly end: CallEnd;
}
