/** No connection became free in time: answer 503, do not wait longer. */
export class DatabaseBusyError extends Error {}

export interface AcquireLimits {
  /** Maximum number inside at once. */
  readonly permits: number;
  /** Maximum number of waiters. */
  readonly queueLimit: number;
  /** Longest wait. */
  readonly deadlineMs: number;
}

interface Waiter {
  readonly enter: () => void;
  timer: NodeJS.Timeout | undefined;
}

/**
 * First-come entrance to a limited number of connections. The drivers' own pools wait without a deadline and without a bound; under
 * overload that turns into memory and into answers no client waits for any more.
 */
export class ConnectionAcquireLimit {
  readonly #limits: AcquireLimits;
  readonly #waiters = new Set<Waiter>();
  #inside = 0;
  /** Statements of those inside that were answered in good time. */
  promptAnswers = 0;
  /** Number of releases since the start. */
  departures = 0;

  constructor(limits: AcquireLimits) {
    this.#limits = limits;
  }

  /** Number of current waiters. */
  get waiting(): number {
    return this.#waiters.size;
  }

  /** Number currently inside. */
  get inside(): number {
    return this.#inside;
  }

  /**
   * Enters, in order of arrival. The caller must then `leave` exactly once.
   * Fails: DatabaseBusyError when the queue is full or the wait took too long.
   */
  enter(): Promise<void> {
    const { permits, queueLimit, deadlineMs } = this.#limits;
    if (this.#inside < permits) {
      this.#inside += 1;
      return ENTERED;
    }
    if (this.#waiters.size >= queueLimit) {
      return Promise.reject(
        new DatabaseBusyError(`${queueLimit} callers already wait for a database connection`),
      );
    }
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { enter: resolve, timer: undefined };
      waiter.timer = setTimeout(() => {
        this.#waiters.delete(waiter);
        reject(new DatabaseBusyError(`no database connection became free within ${deadlineMs} ms`));
      }, deadlineMs);
      this.#waiters.add(waiter);
    });
  }

  /** Waits for a turn, does the work, and leaves. Fails: as `enter` and `work`. */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.enter();
    if (turn !== ENTERED) await turn;
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  release(): void {
    this.departures += 1;
    for (const waiter of this.#waiters) {
      this.#waiters.delete(waiter);
      clearTimeout(waiter.timer);
      waiter.enter();
      return;
    }
    this.#inside -= 1;
  }
}

const ENTERED = Promise.resolve();
