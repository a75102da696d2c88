const SEGMENT = 0;
const SIZE = 1;
const STATE = 2;
const CELLS = 3;

const AWAKE = 0;
const ASLEEP = 1;

/** Up to where a spool is written. */
export interface SpoolPosition {
  readonly segment: number;
  readonly offsetBytes: number;
}

export const SPOOL_START: SpoolPosition = Object.freeze({ segment: 1, offsetBytes: 0 });

/**
 * State shared by the writer of a spool and its reader in another thread, in shared memory: no message is posted for a record. A
 * reader that found nothing sleeps, and the next record wakes it.
 */
export class SpoolProgress {
  private readonly cells: Int32Array;
  /** Called in the writer's thread before new records can be read. */
  onPublish: () => void = () => undefined;
  /** Called in the writer's thread when a record came while the reader slept. */
  onWake: () => void = () => undefined;

  constructor(
    readonly memory: SharedArrayBuffer = new SharedArrayBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT),
  ) {
    this.cells = new Int32Array(memory);
  }

  /** Writer: whole records reach up to here. */
  publish(segment: number, sizeBytes: number): void {
    const { cells } = this;
    this.onPublish();
    if (Atomics.load(cells, SEGMENT) !== segment) {
      // In this order: a reader between the two sees too little, never bytes that are not there.
      Atomics.store(cells, SIZE, 0);
      Atomics.store(cells, SEGMENT, segment);
    }
    Atomics.store(cells, SIZE, sizeBytes);
    if (Atomics.load(cells, STATE) === ASLEEP && Atomics.exchange(cells, STATE, AWAKE) === ASLEEP)
      this.onWake();
  }

  /** Reader. */
  read(): SpoolPosition {
    for (;;) {
      const segment = Atomics.load(this.cells, SEGMENT);
      const offsetBytes = Atomics.load(this.cells, SIZE);
      if (Atomics.load(this.cells, SEGMENT) === segment) return { segment, offsetBytes };
    }
  }

  /** Reader: nothing to do. Look once more afterwards, a record may have come in between. */
  fallAsleep(): void {
    Atomics.store(this.cells, STATE, ASLEEP);
  }

  /** Reader: up again by itself. */
  wakeUp(): void {
    Atomics.store(this.cells, STATE, AWAKE);
  }
}
