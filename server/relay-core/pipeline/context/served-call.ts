import type { Attempt, Caller, IncomingCall } from '../../model/call.js';
import type { Operation } from '../../model/operation.js';
import type { RelayError } from '../../model/relay-error.js';
import type { ChannelView } from '../../ports/channel-picker.js';
import type { Quote } from '../../ports/price-book.js';
import type { RelayOptions } from '../../ports/relay-options.js';
import type { ClientConnection } from './client-connection.js';
import type { RelayPorts } from './relay-ports.js';
import type { ClientCall } from './call-types.js';

/** Who hears that a call is over. What is told after the first word does not matter any more. */
export interface CallEnd {
  /** It was answered, or refused. */
  onOver(): void;
  /** A bug, or a spool that cannot be written: nobody answered. */
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
  readonly quote: Quote;
  /** Options and channels as they were when the price was asked for: of one revision, like the price itself. */
  readonly options: RelayOptions;
  readonly channels: ChannelView | undefined;
  /** Answers a failure nobody is charged for, writes it down and ends the call. */
  refuse(error: RelayError, attempts?: readonly Attempt[]): void;
  readonly end: CallEnd;
}
