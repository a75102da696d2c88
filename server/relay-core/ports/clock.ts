export abstract class Clock {
  /** Wall clock, milliseconds since 1970. */
  abstract nowMs(): number;
  /** Monotonic milliseconds, for durations only. */
  abstract monotonicMs(): number;
  /** Runs `action` once after `delayMs`; the answer cancels it. Never keeps the process alive. */
  abstract after(delayMs: number, action: () => void): () => void;
}
