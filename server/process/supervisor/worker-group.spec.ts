import { describe, expect, it } from '@jest/globals';
import { type GroupPlan, SILENT_MS, WorkerGroup } from './worker-group.js';
import { WORKER_BEAT } from './worker-messages.js';

const READY = { listeningPort: 3000 };

/** Fake process: records its orders, and exits or answers as the test decides. */
class FakeWorker {
  readonly orders: string[] = [];
  isKilled = false;
  /** The system takes its time to end it. */
  isSlowToDie = false;
  private say: (message: unknown) => void = () => undefined;
  private exit: (code: number, signal: string) => void = () => undefined;

  constructor(
    readonly pid: number,
    readonly index: number,
    readonly variables: Readonly<Record<string, string>>,
  ) {}

  send(order: string): void {
    this.orders.push(order);
  }

  kill(): void {
    this.isKilled = true;
    if (!this.isSlowToDie) this.dies(0, 'SIGKILL');
  }

  onMessage(listener: (message: unknown) => void): void {
    this.say = listener;
  }

  onExit(listener: (code: number, signal: string) => void): void {
    this.exit = listener;
  }

  serves(): void {
    this.say(READY);
  }

  beats(): void {
    this.say(WORKER_BEAT);
  }

  dies(code: number, signal = ''): void {
    this.exit(code, signal);
  }
}

class Stage {
  readonly forked: FakeWorker[] = [];
  readonly lines: string[] = [];
  readonly ready: number[] = [];
  readonly ends: number[] = [];
  readonly group: WorkerGroup;
  private nowMs = 1_000;
  private readonly timers: { atMs: number; action: () => void }[] = [];

  constructor(plan: GroupPlan, startsAtOnce = 8) {
    this.group = new WorkerGroup(plan, {
      fork: (index, variables) => {
        const worker = new FakeWorker(100 + this.forked.length, index, variables);
        this.forked.push(worker);
        return worker;
      },
      startsAtOnce,
      nowMs: () => this.nowMs,
      after: (delayMs, action) => {
        const timer = { atMs: this.nowMs + delayMs, action };
        this.timers.push(timer);
        return () => this.timers.splice(this.timers.indexOf(timer), 1);
      },
      log: (level, message) => this.lines.push(`${level}: ${message}`),
      onReady: (port) => this.ready.push(port),
      onEnd: (code) => this.ends.push(code),
    });
    this.group.start();
  }

  worker(order: number): FakeWorker {
    const worker = this.forked[order];
    if (worker === undefined) throw new Error(`no worker was started as number ${order}`);
    return worker;
  }

  allServe(): void {
    for (const worker of this.forked) worker.serves();
  }

  /** Time passes; those named give signs of life meanwhile. */
  pass(durationMs: number, beating: readonly FakeWorker[] = []): void {
    const endMs = this.nowMs + durationMs;
    for (;;) {
      const due = this.timers.filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs)[0];
      if (due === undefined) break;
      this.timers.splice(this.timers.indexOf(due), 1);
      this.nowMs = Math.max(this.nowMs, due.atMs);
      for (const worker of beating) worker.beats();
      due.action();
    }
    this.nowMs = endMs;
  }

  /** Time passes and we were not there to see it. */
  sleep(durationMs: number): void {
    this.nowMs += durationMs;
  }
}

const plan = (workers: number, variables: Record<string, string> = {}): GroupPlan => ({
  workers,
  variables,
});
/** Lets promises that are settled be seen. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the workers of an instance', () => {
  it('starts one after the other where there are few cores, and all of them in the end', () => {
    const stage = new Stage({ workers: 3, variables: {} }, 1);
    expect(stage.forked).toHaveLength(1);
    stage.forked[0]?.serves();
    expect(stage.forked).toHaveLength(2);
    // One that dies in between is replaced after its pause; the next one does not wait for it.
    stage.forked[1]?.dies(1);
    expect(stage.forked).toHaveLength(3);
    stage.forked[2]?.serves();
    stage.pass(5_000);
    expect(stage.forked.map(({ index }) => index)).toEqual([0, 1, 1, 2]);
  });

  it('starts no more workers when it is stopped in the middle', () => {
    const stage = new Stage({ workers: 3, variables: {} }, 1);
    stage.group.stop();
    stage.forked[0]?.serves();
    stage.forked[0]?.dies(0);
    expect(stage.forked).toHaveLength(1);
    expect(stage.ends).toEqual([0]);
  });

  it('replaces a dead worker at once in its place, and lets another book its spool', () => {
    const stage = new Stage(plan(2));
    stage.allServe();
    expect(stage.ready).toEqual([3000]);
    stage.worker(0).dies(0, 'SIGKILL');
    expect(stage.worker(1).orders).toEqual(['adopt']);
    stage.pass(100);
    expect(stage.forked.map(({ index }) => index)).toEqual([0, 1, 0]);
  });

  it('lengthens the pauses from the sixth death within a minute', () => {
    const stage = new Stage(plan(1));
    stage.allServe();
    for (let death = 0; death < 5; death += 1) {
      stage.worker(death).dies(1);
      stage.pass(100);
    }
    stage.worker(5).dies(1);
    stage.pass(1_999);
    expect(stage.forked).toHaveLength(6);
    stage.pass(1);
    expect(stage.forked).toHaveLength(7);
  });

  it('kills only workers that have been silent for 30 s [F-73]', () => {
    const stage = new Stage(plan(2));
    stage.allServe();
    stage.pass(SILENT_MS, [stage.worker(1)]);
    expect(stage.worker(0).isKilled).toBe(false);
    stage.pass(1_100, [stage.worker(1)]);
    expect(stage.worker(0).isKilled).toBe(true);
    expect(stage.worker(1).isKilled).toBe(false);
    expect(stage.worker(1).orders).toEqual(['adopt']);
    expect(stage.lines.join('\n')).toContain('worker 0 (pid 100) has been hung for 31 s and is killed');
    stage.pass(100, [stage.worker(1)]);
    expect(stage.forked).toHaveLength(3);
  });

  it('logs a hung worker once', () => {
    const stage = new Stage(plan(1));
    stage.allServe();
    stage.worker(0).isSlowToDie = true;
    stage.pass(SILENT_MS + 10_000);
    expect(stage.worker(0).isKilled).toBe(true);
    expect(stage.lines.filter((line) => line.includes('has been hung'))).toHaveLength(1);
  });

  it('allows a start longer than a silence, and kills no worker after a pause of the supervisor', () => {
    const stage = new Stage(plan(2));
    stage.pass(120_000);
    expect(stage.forked.some(({ isKilled }) => isKilled)).toBe(false);
    stage.allServe();
    stage.sleep(60_000);
    stage.pass(2_000);
    expect(stage.forked.some(({ isKilled }) => isKilled)).toBe(false);
  });

  it('gives up when the first start fails, and ends with its code', () => {
    const stage = new Stage(plan(2));
    stage.worker(0).dies(1);
    expect(stage.worker(1).orders).toEqual(['stop']);
    stage.worker(1).dies(0);
    expect(stage.ends).toEqual([1]);
  });

  it('stops all, and hurries them at the second signal', () => {
    const stage = new Stage(plan(2));
    stage.allServe();
    stage.group.stop();
    stage.group.stop();
    expect(stage.worker(0).orders).toEqual(['stop', 'hurry']);
    stage.worker(0).dies(0);
    expect(stage.ends).toEqual([]);
    stage.worker(1).dies(0);
    expect(stage.ends).toEqual([0]);
    stage.pass(60_000);
    expect(stage.forked).toHaveLength(2);
  });
});

describe('an exchange of the workers', () => {
  it('exchanges one by one: the new one serves before the old one gets the stop order', async () => {
    const stage = new Stage(plan(2));
    stage.allServe();
    const rolled = stage.group.roll(plan(2, { LOG_LEVEL: 'debug' }));
    expect(stage.forked).toHaveLength(3);
    expect(stage.worker(2)).toMatchObject({ index: 2, variables: { LOG_LEVEL: 'debug' } });
    await turn();
    expect(stage.worker(0).orders).toEqual([]);
    stage.worker(2).serves();
    await turn();
    expect(stage.worker(0).orders).toEqual(['leave']);
    expect(stage.worker(1).orders).toEqual([]);
    expect(stage.worker(3).index).toBe(3);
    stage.worker(0).dies(0);
    stage.worker(3).serves();
    await rolled;
    expect(stage.worker(1).orders).toEqual(['leave']);
    stage.worker(1).dies(0);
    stage.pass(60_000, stage.forked);
    // A worker that left is not replaced; one that dies later is, with the new settings.
    expect(stage.forked).toHaveLength(4);
    stage.worker(3).dies(1);
    stage.pass(100);
    expect(stage.worker(4).variables).toEqual({ LOG_LEVEL: 'debug' });
  });

  it('replaces them by more or fewer', async () => {
    const stage = new Stage(plan(1));
    stage.allServe();
    const grown = stage.group.roll(plan(3));
    for (const order of [1, 2, 3]) {
      stage.worker(order).serves();
      await turn();
    }
    await grown;
    stage.worker(0).dies(0);
    const shrunk = stage.group.roll(plan(1));
    stage.worker(4).serves();
    await shrunk;
    expect(stage.forked.map(({ orders }) => orders.includes('leave'))).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  it('takes it back when a new one cannot start, also half way', async () => {
    const stage = new Stage(plan(2, { KIND: 'old' }));
    stage.allServe();
    const rolled = stage.group.roll(plan(2, { KIND: 'new' }));
    stage.worker(2).serves();
    await turn();
    stage.worker(0).dies(0);
    stage.worker(3).dies(1);
    await turn();
    expect(stage.worker(4).variables).toEqual({ KIND: 'old' });
    stage.worker(4).serves();
    await rolled;
    expect(stage.worker(2).orders.at(-1)).toBe('leave');
    expect(stage.worker(1).orders).not.toContain('leave');
    expect(stage.lines.join('\n')).toContain('the old settings stay');
    stage.worker(2).dies(0);
    stage.pass(60_000, stage.forked);
    expect(stage.forked).toHaveLength(5);
  });

  it('runs once more for two concurrent requests, with the newest settings', async () => {
    const stage = new Stage(plan(1));
    stage.allServe();
    void stage.group.roll(plan(1, { KIND: 'first' }));
    void stage.group.roll(plan(1, { KIND: 'second' }));
    const rolled = stage.group.roll(plan(1, { KIND: 'third' }));
    stage.worker(1).serves();
    await turn();
    stage.worker(2).serves();
    await rolled;
    expect(stage.forked.map(({ variables }) => variables['KIND'])).toEqual([undefined, 'first', 'third']);
  });

  it('ends when every worker gets the stop order', async () => {
    const stage = new Stage(plan(1));
    stage.allServe();
    const rolled = stage.group.roll(plan(1));
    stage.group.stop();
    stage.worker(0).dies(0);
    stage.worker(1).dies(0);
    await rolled;
    expect(stage.ends).toEqual([0]);
    expect(stage.forked).toHaveLength(2);
  });
});
