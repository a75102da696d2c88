import type { Operation } from '../model/operation.js';
import type { RelayError } from '../model/relay-error.js';
import type { Route } from './channel-picker.js';

/** What a channel was asked for, in the caller's words. */
export interface AskedOfChannel {
  readonly kind: Operation | 'realtime';
  readonly model: string;
  /** When this channel was asked. */
  readonly startedAtMs: number;
}

export abstract class ChannelHealth {
  abstract recordSuccess(route: Route, asked: AskedOfChannel): void;
  /** May disable the channel (status 3) when the operator allowed it and the failure is the channel's own. */
  abstract recordFailure(route: Route, error: RelayError, asked: AskedOfChannel): void;
}
