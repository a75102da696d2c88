declare const whole: unique symbol;

/** A moment as it is kept: whole milliseconds since 1970. Integer columns take nothing else. */
export type Moment = number & { readonly [whole]: true };

/** Monotonic clocks count parts of a millisecond, and differences with them have parts too. */
export const momentOf = (ms: number): Moment => Math.floor(ms) as Moment;
