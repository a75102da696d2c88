import type { BookingOptions } from './booking-options.js';

const LOG_CONSUMPTION = 1;
const USE_FIGURES = 2;

/**
 * The options of the booking thread, in memory it shares with its worker. A message may arrive after the thread has read the next
 * record; options written here before a record is published are seen by the thread that reads that record.
 */
export class SharedBookingOptions {
  private readonly cells: Int32Array;

  constructor(readonly memory: SharedArrayBuffer = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.cells = new Int32Array(memory);
  }

  write({ logConsumption, useFigures, tagValuesPerDay }: BookingOptions): void {
    Atomics.store(this.cells, 1, tagValuesPerDay);
    Atomics.store(this.cells, 0, (logConsumption ? LOG_CONSUMPTION : 0) | (useFigures ? USE_FIGURES : 0));
  }

  read(): BookingOptions {
    const bits = Atomics.load(this.cells, 0);
    return {
      logConsumption: (bits & LOG_CONSUMPTION) !== 0,
      useFigures: (bits & USE_FIGURES) !== 0,
      tagValuesPerDay: Atomics.load(this.cells, 1),
    };
  }
}
