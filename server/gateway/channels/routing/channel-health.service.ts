import { Injectable } from '@nestjs/common';
import type { RelayError } from '../../../relay-core/model/relay-error.js';
import { type ChannelRequest, ChannelHealth } from '../../../relay-core/ports/channel-health.js';
import type { Route } from '../../../relay-core/ports/channel-picker.js';
import { ChannelAutoDisable } from './channel-auto-disable.js';
import { ChannelCircuitBreaker, circuitOf, type CircuitTarget } from '../state/channel-circuit-breaker.js';

/** An account without money does not fill up within seconds. */
const SPENT_PAUSE_MS = 60_000;

/**
 * Learns the health of channels from calls: short pauses in memory, and the lasting switch to status 3 for faults of the channel
 * itself.
 */
@Injectable()
export class StoredChannelHealth extends ChannelHealth {
  constructor(
    private readonly circuits: ChannelCircuitBreaker,
    private readonly autoDisable: ChannelAutoDisable,
  ) {
    super();
  }

  override recordSuccess(route: Route, request: ChannelRequest): void {
    this.circuits.recordSuccess(circuitOf(route), request.startedAtMs);
  }

  override recordFailure(route: Route, error: RelayError, request: ChannelRequest): void {
    if (error.blame !== 'upstream') return;
    const theModel = circuitOf(route);
    const theChannel: CircuitTarget = { ...theModel, model: '' };
    switch (error.kind) {
      case 'upstream-request-rejected':
        // The caller's input was refused: no circuit opens, and only one of the operator's phrases counts against the channel.
        if (route.autoBan) this.autoDisable.confirmAtMostOncePerMinute(route, error, request);
        return;
      case 'upstream-rate-limited':
        this.circuits.openForRetryAfter(theModel, error.retryAfterMs);
        break;
      case 'upstream-quota-spent':
        this.circuits.openForRetryAfter(theChannel, error.retryAfterMs ?? SPENT_PAUSE_MS);
        break;
      case 'upstream-key-refused':
        // 403 may mean this model only; 401 means the key.
        this.circuits.openNow(error.upstreamStatus === 403 ? theModel : theChannel, request.startedAtMs);
        break;
      case 'upstream-unreachable':
        this.circuits.recordFailure(theChannel, request.startedAtMs);
        break;
      case 'upstream-overloaded':
      case 'upstream-timeout':
      case 'upstream-malformed':
      case 'upstream-broken':
        this.circuits.recordFailure(theModel, request.startedAtMs);
        break;
    }
    if (route.autoBan) this.autoDisable.confirmAndDisable(route, error, request);
  }
}
