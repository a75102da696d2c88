export const MOST_PARAMETERS: number;
export const MOST_INJECTED: number;

/** Constructors that take too much by position. `path` counts from the repository's root. */
export function longConstructors(
  path: string,
  text: string,
): readonly { readonly line: number; readonly name: string }[];
