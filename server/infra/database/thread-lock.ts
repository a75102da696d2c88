const FREE = 0;

/**
 * A lock that threads of this process share: SQLite has one writer, and a connection that finds another one writing sleeps in
 * its thread until it is done. The main thread waits for this lock instead, without sleeping; other threads may sleep.
 */
export class ThreadLock {
  private readonly cell: Int32Array;

  /**
   * @param memory  of the lock of another thread, to share it
   * @param holder  above 0: who this thread is, so that a lock can be taken from a thread that died
   */
  constructor(
    readonly memory: SharedArrayBuffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT),
    private readonly holder = 1,
  ) {
    this.cell = new Int32Array(memory);
  }

  /** Enters at once, or returns that it is taken. */
  tryEnter(): boolean {
    return Atomics.compareExchange(this.cell, 0, FREE, this.holder) === FREE;
  }

  /** Waits without blocking the thread. The caller must then `leave` exactly once. */
  async enter(): Promise<void> {
    while (!this.tryEnter()) {
      const taken = Atomics.load(this.cell, 0);
      if (taken === FREE) continue;
      const wait = Atomics.waitAsync(this.cell, 0, taken);
      if (wait.async) await wait.value;
    }
  }

  release(): void {
    Atomics.store(this.cell, 0, FREE);
    Atomics.notify(this.cell, 0);
  }

  /** Frees what a thread that is gone still held. */
  releaseFor(holder: number): void {
    if (Atomics.compareExchange(this.cell, 0, holder, FREE) === holder) Atomics.notify(this.cell, 0);
  }
}
