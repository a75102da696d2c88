import type { RelayError } from '../model/relay-error.js';
import type { Route } from './channel-picker.js';

export abstract class ChannelHealth {
  abstract recordSuccess(route: Route, firstByteMs: number | undefined, durationMs: number): void;
  /** May disable the channel (status 3) when the operator allowed it and the failure is the channel's own. */
  abstract recordFailure(route: Route, error: RelayError): void;
}
