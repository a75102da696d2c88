import type { Moment } from './moment.js';

export abstract class Clock {
  /** Wall clock. */
  abstract nowMs(): Moment;
  /** Monotonic milliseconds and parts of them, for durations only. */
  abstract monotonicMs(): number;
  /** Runs `action` once after `delayMs`; the answer cancels it. Never keeps the process alive. */
  abstract after(delayMs: number, action: () => void): () => void;
}
