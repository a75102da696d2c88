/** Codes below the examples' that no channel type ever had. */
const UNUSED: ReadonlySet<number> = new Set([28, 29, 30, 32]);
/** Examples and types of single installations begin here, and need not be complete. */
const FIRST_OWN = 9_000;

/**
 * Faults of the codes of all channel types: a code that two types have, and a gap that a new type may have been meant to fill.
 * @returns a sentence each; empty = none
 */
export function typeCodeFaults(codes: readonly number[]): readonly string[] {
  const known = new Set(codes);
  const twice = codes.filter((code, index) => codes.indexOf(code) !== index);
  const highest = Math.max(0, ...codes.filter((code) => code < FIRST_OWN));
  const gaps = Array.from({ length: highest }, (_, index) => index + 1).filter(
    (code) => !known.has(code) && !UNUSED.has(code),
  );
  return [
    ...twice.map((code) => `two types have the code ${code}`),
    ...gaps.map((code) => `no type has the code ${code}`),
  ];
}
