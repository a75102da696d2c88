import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../common/errors/domain-error.js';
import { Clock } from '../../../common/clock.js';
import { storableText } from '../../../common/text.js';
import { redactSecrets } from '../../../infra/observability/redact.js';
import { CHANNEL_LENGTHS } from '../state/channel.codes.js';
import { ChannelProbe } from '../probing/channel-probe.service.js';
import { ChannelsRepository } from '../state/channels.repository.js';
import type { ProbeOptions, ProbeResult } from '../probing/probe-call.js';
import type { ProbePlan } from '../state/probe-kinds.js';
import { costsMoney } from '../probing/probe-model.js';

/** Tests channels: one small call that no account pays. */
@Injectable()
export class ChannelTestsService {
  constructor(
    private readonly channels: ChannelsRepository,
    private readonly probe: ChannelProbe,
    private readonly clock: Clock,
  ) {}

  /**
   * A test requested by an administrator: its success closes the circuit, so that the model is called again. Tests of jobs leave
   * circuits open, for their requests are smaller than the calls that failed. Each API that the channel names is tested, up to the
   * first failure.
   * @param mayCost  an image may be drawn, and paid for. Fails: not_found, channel_test_costs.
   */
  async testOnRequest(id: number, wanted: ProbeOptions, mayCost: boolean): Promise<ProbeResult> {
    const plan = await this.probe.planOf(id, wanted);
    if (plan !== null && !mayCost && costsMoney(plan.model, plan.endpoint))
      throw new DomainError('channel_test_costs', { model: plan.model });
    const result = await this.test(id, { ...wanted, endsRest: true });
    if (!result.success) return result;
    for (const endpoint of plan?.others ?? []) {
      const next = await this.test(id, { ...wanted, endpoint, endsRest: true });
      if (!next.success) return { ...next, message: `${endpoint}: ${next.message}` };
    }
    return result;
  }

  /**
   * A test of what was switched off: the channel's own, and when that fails the one that switched it off, so that a channel comes
   * back by its own kind of test. A test that fails costs nothing, whatever it asks for.
   */
  async testFallen(id: number, fall: ProbePlan | undefined, keyIndex?: number): Promise<ProbeResult> {
    const wanted = keyIndex === undefined ? {} : { keyIndex };
    const result = await this.test(id, wanted);
    return result.success || fall === undefined ? result : this.test(id, { ...wanted, ...fall });
  }

  /** Stores when it was and how long it took, or why it failed. Fails: not_found. */
  async test(id: number, wanted: ProbeOptions): Promise<ProbeResult> {
    if ((await this.channels.find(id)) === null) throw new DomainError('not_found');
    const result = await this.probe.test(id, wanted);
    const testTime = Math.floor(this.clock.nowMs() / 1000);
    const responseTime = Math.max(1, result.timeMs);
    const testFailure = storableText(redactSecrets(result.message)).slice(0, CHANNEL_LENGTHS.testFailure);
    await this.channels.record(
      id,
      result.success ? { testTime, responseTime, testFailure: '' } : { testTime, testFailure },
    );
    return result;
  }
}
