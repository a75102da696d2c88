/** A wait in whole seconds, at least one, as `Retry-After` and sentences tell it. */
export const secondsToWait = (waitMs: number): number => Math.max(1, Math.ceil(waitMs / 1_000));
