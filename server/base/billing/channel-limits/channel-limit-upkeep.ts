import { Injectable } from '@nestjs/common';
import { Interval } from '../../../infra/schedule/interval.js';
import { StoredChannelLimits } from './channel-limits.service.js';

const SWEEP_EVERY_MS = 1_000;
const REAP_EVERY_MS = 10_000;

/** Regular work for the limits of channels, on every worker. */
@Injectable()
export class ChannelLimitUpkeep {
  constructor(private readonly limits: StoredChannelLimits) {}

  /** Never rejects. */
  @Interval('channel-limit-parts', SWEEP_EVERY_MS)
  sweep(): Promise<void> {
    return this.limits.sweep();
  }

  /** Never rejects. */
  @Interval('channel-limit-reaper', REAP_EVERY_MS)
  reap(): Promise<void> {
    return this.limits.reap();
  }
}
