import { Injectable, Logger } from '@nestjs/common';
import { Env } from '../../config/env.js';
import { CallRunner } from './call-runner.js';
import { RealtimeRunner } from './realtime/realtime-runner.js';
import { RelayGates } from './relay-gates.js';

/** After the deadline running calls are told; this long they have to write down what they used. */
const SETTLE_MS = 2_000;

/** Stops the relay in good order (2.11): no new calls, running ones finish, the rest are ended with an error event and charged. */
@Injectable()
export class RelayDrain {
  private readonly logger = new Logger('Relay');

  constructor(
    private readonly gates: RelayGates,
    private readonly runner: CallRunner,
    private readonly realtime: RealtimeRunner,
    private readonly env: Env,
  ) {}

  /** Resolves when no call is under way any more. */
  async finish(): Promise<void> {
    this.gates.startDraining();
    if (this.gates.activeCalls === 0) return;
    this.logger.log(`waiting for ${this.gates.activeCalls} call(s) to finish`);
    if (await this.isIdleWithin(this.env.drainTimeoutMs)) return;
    this.logger.warn(`ending ${this.gates.activeCalls} call(s) that did not finish in time`);
    this.runner.endAll();
    this.realtime.endAll();
    await this.isIdleWithin(SETTLE_MS);
  }

  private async isIdleWithin(timeoutMs: number): Promise<boolean> {
    const deadline = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => deadline.resolve(false), timeoutMs);
    const isIdle = await Promise.race([this.gates.whenIdle().then(() => true), deadline.promise]);
    clearTimeout(timer);
    return isIdle;
  }
}
