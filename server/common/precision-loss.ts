/** A number that is written with more digits than are kept of it. */
export interface PrecisionLoss {
  /** Path in the document; empty = the document is the number. */
  readonly path: readonly string[];
  readonly written: string;
  readonly kept: number;
}

/** Type of JSON.parse with a reviver's third argument, which the configured library does not declare yet. */
type ParseWithSource = (
  text: string,
  reviver: (this: object, key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown;

/**
 * The first number of a JSON document that parsing rounds: a typed price would change without a message.
 * @param text  JSON that parses
 */
export function findPrecisionLoss(text: string): PrecisionLoss | undefined {
  let found: (PrecisionLoss & { readonly holder: object }) | undefined;
  // A reviver sees what is inside first: on the way out the path grows to the front.
  (JSON.parse as ParseWithSource)(text, function (key, value, { source }) {
    if (found === undefined && typeof value === 'number' && source !== undefined) {
      const lost = precisionLossOf(source);
      if (lost !== undefined) found = { ...lost, path: [key], holder: this };
    } else if (found !== undefined && value === found.holder) {
      found = { ...found, path: [key, ...found.path], holder: this };
    }
    return value;
  });
  if (found === undefined) return undefined;
  const { path, written, kept } = found;
  // The outermost holder is one of the parser's own, under an empty name.
  return { path: path.slice(1), written, kept };
}

/** Precision loss of one decimal; undefined = it is stored as written. */
export function precisionLossOf(written: string): PrecisionLoss | undefined {
  const kept = Number(written);
  return digitsOf(written) === digitsOf(String(kept)) ? undefined : { path: [], written, kept };
}

/**
 * Exponents and zeros at the ends are a way of writing. What rounding gives differs in its digits: nothing with the same ones is so
 * near.
 */
const digitsOf = (text: string): string =>
  text
    .replace(/e.*$/i, '')
    .replace(/[^\d]/g, '')
    .replace(/^0+|0+$/g, '');
