import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { Clock } from '../../relay-core/ports/clock.js';
import { ChannelProbe } from './channel-probe.service.js';
import { ChannelsRepository } from './channels.repository.js';
import type { ProbeOptions, ProbeResult } from './probe-call.js';

/** Tests channels: one small call, for which nobody pays. */
@Injectable()
export class ChannelTestsService {
  constructor(
    private readonly channels: ChannelsRepository,
    private readonly probe: ChannelProbe,
    private readonly clock: Clock,
  ) {}

  /** Stores when it was and, when it succeeded, how long it took. Fails: not_found. */
  async test(id: number, wishes: ProbeOptions): Promise<ProbeResult> {
    if ((await this.channels.find(id)) === null) throw new DomainError('not_found');
    const result = await this.probe.test(id, wishes);
    const testTime = Math.floor(this.clock.nowMs() / 1000);
    const responseTime = Math.max(1, result.timeMs);
    await this.channels.record(id, result.success ? { testTime, responseTime } : { testTime });
    return result;
  }
}
