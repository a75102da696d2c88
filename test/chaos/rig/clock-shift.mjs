// Loaded before the gateway (NODE_OPTIONS=--import): shifts the machine's clock by CHAOS_CLOCK_SHIFT_MS. Timers and
// performance.now() stay as they are, as after a real change of the clock.
const shiftMs = Number(process.env.CHAOS_CLOCK_SHIFT_MS ?? 0);

if (shiftMs !== 0) {
  const RealDate = Date;
  globalThis.Date = class Date extends RealDate {
    constructor(...words) {
      if (words.length === 0) super(RealDate.now() + shiftMs);
      else super(...words);
    }

    static now() {
      return RealDate.now() + shiftMs;
    }
  };
}
