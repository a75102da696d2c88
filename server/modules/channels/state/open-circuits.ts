import { Injectable } from '@nestjs/common';
import { type Moment, momentOf } from '../../../common/moment.js';
import { Clock } from '../../../relay-core/ports/clock.js';
import { ChannelCircuitBreaker } from './channel-circuit-breaker.js';

/** A channel that this process leaves alone for a while. */
export interface OpenCircuit {
  readonly channelId: number;
  /** Empty = altogether. */
  readonly model: string;
  readonly sinceMs: Moment;
}

/** Which channels calls of this process avoid now, for alerts and the status page. */
@Injectable()
export class OpenCircuits {
  constructor(
    private readonly rest: ChannelCircuitBreaker,
    private readonly clock: Clock,
  ) {}

  list(): readonly OpenCircuit[] {
    const nowMs = this.clock.nowMs();
    return this.rest
      .listResting()
      .map(({ channelId, model, forMs }) => ({ channelId, model, sinceMs: momentOf(nowMs - forMs) }));
  }
}
