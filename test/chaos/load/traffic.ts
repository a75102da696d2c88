import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { SeededRandom } from '../../simulator/seeded-random.js';
import type { ChaosToken } from '../rig/accounts.js';
import { History } from './history.js';
import { placeCall } from './place-call.js';
import { MIXED_SHAPES, type Shape } from './shapes.js';

const TICK_MS = 10;
/** New processes are slow for a moment: code is not compiled yet, connections are not open yet. It is not what is tested. */
const WARM_UP: readonly { readonly share: number; readonly forMs: number }[] = [
  { share: 0.3, forMs: 4_000 },
  { share: 1, forMs: 6_000 },
];

/** An open load: so many calls a second begin, however long the ones before take. The same seed asks the same things. */
export class Traffic {
  readonly history = new History();
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 4_000 });
  private readonly ended = new Set<() => void>();
  private isStopped = false;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly url: string,
    private readonly tokens: readonly ChaosToken[],
    private readonly random: SeededRandom,
    private readonly callsPerSecond: number,
    private readonly shapes: readonly Shape[] = MIXED_SHAPES,
  ) {}

  /** Resolves when a slow beginning is over and the full load begins. */
  async start(): Promise<void> {
    for (const { share, forMs } of WARM_UP) await this.run(share, performance.now() + forMs);
    this.history.warmAtMs = performance.now();
    this.running = this.run(1, Number.POSITIVE_INFINITY);
  }

  /** No call begins any more; resolves when all have ended. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.running;
    while (this.history.open > 0) await new Promise<void>((resolve) => this.ended.add(resolve));
  }

  close(): void {
    this.agent.destroy();
  }

  private async run(share: number, untilMs: number): Promise<void> {
    const startedAtMs = performance.now();
    const callsPerMs = (this.callsPerSecond * share) / 1_000;
    for (let begun = 0; !this.isStopped && performance.now() < untilMs; await pause(TICK_MS)) {
      const due = (performance.now() - startedAtMs) * callsPerMs;
      for (; begun < due; begun += 1) this.begin(this.history.calls.length);
    }
  }

  private begin(marker: number): void {
    const { random } = this;
    const shape = this.pickShape();
    const token = random.pick(this.tokens);
    const leavesAfter = shape.leavesWithin === undefined ? undefined : random.between(1, shape.leavesWithin);
    const onEnd = (): void => {
      for (const resolve of this.ended) resolve();
      this.ended.clear();
    };
    const { url, agent } = this;
    this.history.calls.push(placeCall({ url, agent, marker, shape, token, leavesAfter, onEnd }));
  }

  private pickShape(): Shape {
    let left = this.random.below(this.shapes.reduce((sum, { weight }) => sum + weight, 0));
    for (const shape of this.shapes) {
      left -= shape.weight;
      if (left < 0) return shape;
    }
    throw new RangeError('a mix without shapes');
  }
}
