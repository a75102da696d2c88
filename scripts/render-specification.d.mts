interface NamedText {
  readonly path: string;
  readonly text: string;
}

export function readLists(root: string): NamedText[];
export function readDecisions(root: string): string;
export function specificationFaults(
  lists: readonly NamedText[],
  tests: readonly NamedText[],
  decisions: string,
): string[];
export function renderSpecification(
  lists: readonly NamedText[],
  tests: readonly NamedText[],
  decisions: string,
): string;
