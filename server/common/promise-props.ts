/** `Promise.all` of an object's members, each under its name. */
export async function promiseProps<T extends object>(promises: {
  readonly [Name in keyof T]: Promise<T[Name]>;
}): Promise<T> {
  const entries = Object.entries<Promise<unknown>>(promises);
  const values = await Promise.all(entries.map(async ([name, promise]) => [name, await promise] as const));
  return Object.fromEntries(values) as T;
}
