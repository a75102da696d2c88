/** An object with these members alone. */
export const pick = <T extends object, Key extends keyof T>(source: T, keys: readonly Key[]): Pick<T, Key> =>
  Object.fromEntries(keys.map((key) => [key, source[key]])) as Pick<T, Key>;
