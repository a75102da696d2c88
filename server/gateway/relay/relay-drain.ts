import { Injectable, Logger } from '@nestjs/common';
import { Env } from '../../config/env.js';
import { CallRunner } from './call-runner.js';
import { RealtimeRunner } from './realtime/realtime-runner.js';
import { ConcurrencyLimits } from './concurrency-limits.js';

/** After the deadline running calls are ended; they have this long to record their usage. */
const SETTLE_MS = 2_000;

/** Stops the relay in good order: no new calls, running ones finish, the rest are ended with an error event and charged. */
@Injectable()
export class RelayDrain {
  private readonly logger = new Logger('Relay');
  private untilMs: number | undefined;
  private readonly cutOff = Promise.withResolvers<false>();

  constructor(
    private readonly gates: ConcurrencyLimits,
    private readonly runner: CallRunner,
    private readonly realtime: RealtimeRunner,
    private readonly env: Env,
  ) {}

  /** Nothing is read any more for clients that are gone. */
  endAbandoned(): void {
    this.runner.endAbandoned();
  }

  /** Resolves when no call is running; new ones may still come. */
  async idle(): Promise<void> {
    if (this.gates.activeCalls > 0) await this.gates.whenIdle();
  }

  /** @returns whether it was over when running calls have to be; the time runs from the first question on */
  async beforeDeadline(work: Promise<unknown>): Promise<boolean> {
    this.untilMs ??= performance.now() + this.env.drainTimeoutMs;
    return Promise.race([isWithin(work, this.untilMs - performance.now()), this.cutOff.promise]);
  }

  /** Limits what is left of running calls to this time, whatever the settings. */
  limitRemaining(leftMs: number): void {
    setTimeout(() => this.cutOff.resolve(false), leftMs);
  }

  /** Resolves when no call is running any more. */
  async finish(): Promise<void> {
    this.gates.startDraining();
    this.endAbandoned();
    if (this.gates.activeCalls === 0) return;
    this.logger.log(`waiting for ${this.gates.activeCalls} call(s) to finish`);
    if (await this.beforeDeadline(this.idle())) return;
    this.logger.warn(`ending ${this.gates.activeCalls} call(s) that did not finish in time`);
    this.runner.endAll();
    this.realtime.endAll();
    await isWithin(this.idle(), SETTLE_MS);
  }
}

async function isWithin(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const deadline = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => deadline.resolve(false), Math.max(0, timeoutMs));
  const isOver = await Promise.race([work.then(() => true), deadline.promise]);
  clearTimeout(timer);
  return isOver;
}
