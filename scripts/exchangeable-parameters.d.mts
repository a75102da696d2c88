/** Number of known functions by file; it may only fall. */
export const KNOWN_EXCHANGEABLE: ReadonlyMap<string, number>;

/** Functions whose neighbouring parameters can be exchanged unnoticed. `path` counts from the repository's root. */
export function exchangeableParameters(
  path: string,
  text: string,
): readonly { readonly line: number; readonly names: string }[];
