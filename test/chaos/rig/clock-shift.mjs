// Loaded before the gateway (NODE_OPTIONS=--import): a machine whose clock is CHAOS_CLOCK_SHIFT_MS wrong. Timers and
// performance.now() go on as they are, as they do when somebody sets a clock.
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
