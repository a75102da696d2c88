import type { SeededRandom } from './seeded-random.js';
import { SimulatedClock } from './simulated-clock.js';

/** A party that does input and output, and may die in the middle. */
export interface Actor {
  readonly isDead: boolean;
  /** True while it may be killed. */
  readonly isMortal: boolean;
  die(): void;
}

export interface SchedulerSettings {
  /** One step of a mortal actor in so many kills it; half of them before, half of them after it took effect. 0 = none. */
  crashOnceIn: number;
}

interface Waiting {
  readonly actor: Actor;
  readonly go: () => void;
}

const START_MS = 1_795_262_400_000;
/** Time passes while work is done: a little often, and now and then as if a disk hung. */
const MOVES_TIME_ONCE_IN = 40;
const LITTLE_MS = 20;
const HANGS_ONCE_IN = 5_000;
const HANG_MS = 1_600;
/** Far beyond every deadline of the product's own: a server that is silent for so long, in real time, will not answer any more. */
const SILENCE_MS = 120_000;

/**
 * Decides the order of events: of all parties that wait for one piece of input or output, the seed lets one continue. A step is one
 * such piece, and a place where its worker may die.
 */
export class Scheduler {
  readonly clock = new SimulatedClock(START_MS);
  steps = 0;
  crashes = 0;
  private readonly waiting: Waiting[] = [];
  private realWork = 0;
  private onRealWorkDone: () => void = () => undefined;
  /** Last request to a server, for the report of one that never answers. */
  private lastAsked = '';

  constructor(
    private readonly random: SeededRandom,
    readonly settings: SchedulerSettings,
  ) {}

  /** One piece of input or output of `actor`; never resolves when the actor dies of it. Fails: as `work` does. */
  async perform<T>(actor: Actor, work: () => T | Promise<T>): Promise<T> {
    await this.turnOf(actor);
    if (actor.isDead) return NEVER;
    const fate = this.fateOf(actor);
    if (fate === 'dies before') return this.kill(actor);
    const result = await work();
    if (fate === 'dies after') return this.kill(actor);
    return result;
  }

  /** Lets one thing happen. */
  async step(): Promise<void> {
    // Work deferred to the next turn of the event loop gets its chance before time moves.
    if (this.waiting.length === 0) await this.settle();
    if (this.waiting.length === 0) {
      this.clock.advanceToNext();
      return this.settle();
    }
    if (this.random.onceIn(MOVES_TIME_ONCE_IN)) this.clock.advance(this.random.below(LITTLE_MS));
    if (this.settings.crashOnceIn > 0 && this.random.onceIn(HANGS_ONCE_IN)) this.clock.advance(HANG_MS);
    const index = this.random.below(this.waiting.length);
    const chosen = this.waiting[index];
    const last = this.waiting.pop();
    if (chosen === undefined || last === undefined) return;
    if (index < this.waiting.length) this.waiting[index] = last;
    this.steps += 1;
    chosen.go();
    await this.settle();
  }

  /** Work that takes real time: nothing else happens in the world meanwhile. */
  async whileWorldWaits<T>(what: string, work: () => Promise<T>): Promise<T> {
    this.realWork += 1;
    this.lastAsked = what;
    try {
      return await work();
    } finally {
      this.realWork -= 1;
      if (this.realWork === 0) this.onRealWorkDone();
    }
  }

  /** Lets everything run that needs no turn. Fails: when a server does not answer. */
  async settle(): Promise<void> {
    await settle();
    while (this.realWork > 0) {
      await this.untilRealWorkIsDone();
      await settle();
    }
  }

  /** A world that waits for what never comes says so, instead of standing still without a word. */
  private untilRealWorkIsDone(): Promise<void> {
    return new Promise((resolve, reject) => {
      const deadline = setTimeout(
        () => reject(new Error(`step ${this.steps}: no answer within ${SILENCE_MS} ms to ${this.lastAsked}`)),
        SILENCE_MS,
      );
      this.onRealWorkDone = () => {
        clearTimeout(deadline);
        resolve();
      };
    });
  }

  /** Everything a dead actor waited for will never be. */
  forget(actor: Actor): void {
    const others = this.waiting.filter((entry) => entry.actor !== actor);
    this.waiting.splice(0, this.waiting.length, ...others);
  }

  private turnOf(actor: Actor): Promise<void> {
    return new Promise((resolve) => {
      if (!actor.isDead) this.waiting.push({ actor, go: resolve });
    });
  }

  private fateOf(actor: Actor): 'lives' | 'dies before' | 'dies after' {
    if (!actor.isMortal || !this.random.onceIn(this.settings.crashOnceIn)) return 'lives';
    return this.random.onceIn(2) ? 'dies before' : 'dies after';
  }

  private kill(actor: Actor): Promise<never> {
    this.crashes += 1;
    actor.die();
    return NEVER;
  }
}

const NEVER = new Promise<never>(() => undefined);

/** Lets everything run that needs no input or output. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
