import { describe, expect, it } from '@jest/globals';
import { SystemClock } from '../../../server/infra/clock/system-clock.js';
import { JobRunner } from '../../../server/infra/schedule/job-runner.js';
import { startTestApp } from '../../support/build-test-app.ts';
import { until } from '../../support/until.js';

/** The real clock, whose actions can be made to happen now. */
class HastyClock extends SystemClock {
  private readonly waiting = new Set<() => void>();

  override after(delayMs: number, action: () => void): () => void {
    const run = (): void => {
      if (this.waiting.delete(run)) action();
    };
    this.waiting.add(run);
    const cancel = super.after(delayMs, run);
    return () => {
      this.waiting.delete(run);
      cancel();
    };
  }

  /** @returns how many there were */
  runAll(): number {
    const waiting = [...this.waiting];
    for (const run of waiting) run();
    return waiting.length;
  }
}

describe('an application that was closed', () => {
  it('does and logs nothing more, whatever it was waiting to do', async () => {
    const clock = new HastyClock();
    const lines: unknown[] = [];
    const say = (line: unknown): void => void lines.push(line);
    const logger = { log: say, warn: say, error: say };
    const { app, close } = await startTestApp({ clock, logger });
    const runner = app.get(JobRunner, { strict: false });
    runner.every('failing', 3_600_000, async () => {
      throw new Error('a fault that comes again');
    });
    for (let turn = 0; turn < 2; turn += 1) {
      await until(() => runner.runNow('failing'));
      await until(async () => (await runner.state('failing'))?.outcome === 'failed');
    }
    await close();
    expect(lines).toContainEqual(expect.stringContaining('a fault that comes again'));
    lines.length = 0;
    expect(clock.runAll()).toBeGreaterThan(0);
    expect(lines).toEqual([]);
  });
});
