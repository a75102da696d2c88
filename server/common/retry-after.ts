/** A wait in whole seconds, at least one, for `Retry-After` and messages. */
export const secondsToWait = (waitMs: number): number => Math.max(1, Math.ceil(waitMs / 1_000));
