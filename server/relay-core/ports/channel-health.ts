import type { Operation } from '../model/operation.js';
import type { RelayError } from '../model/relay-error.js';
import type { Route } from './channel-picker.js';

/** What a channel was asked for, in the caller's words. */
export interface AskedOfChannel {
  readonly kind: Operation | 'realtime';
  readonly model: string;
}

export abstract class ChannelHealth {
  abstract recordSuccess(route: Route, firstByteMs: number | undefined, durationMs: number): void;
  /** May disable the channel (status 3) when the operator allowed it and the failure is the channel's own. */
  abstract recordFailure(route: Route, error: RelayError, asked: AskedOfChannel): void;
}
