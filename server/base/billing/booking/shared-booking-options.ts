import type { BookingOptions } from './batch-booker.js';

const LOG_CONSUMPTION = 1;
const USE_FIGURES = 2;

/**
 * The options of the booking thread, in memory it shares with its worker. A message may arrive after the thread has read the next
 * record; what is written here before a record is published is seen by whoever reads that record.
 */
export class SharedBookingOptions {
  private readonly cells: Int32Array;

  constructor(readonly memory: SharedArrayBuffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.cells = new Int32Array(memory);
  }

  write({ logConsumption, useFigures }: BookingOptions): void {
    Atomics.store(this.cells, 0, (logConsumption ? LOG_CONSUMPTION : 0) | (useFigures ? USE_FIGURES : 0));
  }

  read(): BookingOptions {
    const bits = Atomics.load(this.cells, 0);
    return {
      logConsumption: (bits & LOG_CONSUMPTION) !== 0,
      useFigures: (bits & USE_FIGURES) !== 0,
    };
  }
}
