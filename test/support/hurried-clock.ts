import { SystemClock } from '../../server/infra/clock/system-clock.js';

/** Real waits, but shorter: a second is over after a tenth. The wall clock is the system's. */
export class HurriedClock extends SystemClock {
  constructor(private readonly factor = 10) {
    super();
  }

  override monotonicMs(): number {
    return super.monotonicMs() * this.factor;
  }

  override after(delayMs: number, action: () => void): () => void {
    return super.after(delayMs / this.factor, action);
  }
}
