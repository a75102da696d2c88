/** A value that is known now, or later. */
export type NowOrLater<T> = T | Promise<T>;

/** Continues with a value, at once when it is known: most calls wait for nothing, and a promise would cost each a turn of the event loop. */
export function whenKnown<T, R>(value: NowOrLater<T>, next: (value: T) => NowOrLater<R>): NowOrLater<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
