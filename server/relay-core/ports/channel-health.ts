import type { Operation } from '../model/operation.js';
import type { RelayError } from '../model/relay-error.js';
import type { Route } from './channel-picker.js';

/** Request to a channel, in the caller's words. */
export interface ChannelRequest {
  readonly kind: Operation | 'realtime';
  readonly model: string;
  /** Time of the request to this channel. */
  readonly startedAtMs: number;
}

export abstract class ChannelHealth {
  abstract recordSuccess(route: Route, request: ChannelRequest): void;
  /** May disable the channel (status 3) when the operator allowed it and the failure is the channel's own. */
  abstract recordFailure(route: Route, error: RelayError, request: ChannelRequest): void;
}
