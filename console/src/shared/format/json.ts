/** The same JSON, indented by two; undefined when the text is not JSON. */
export function formatJson(text: string): string | undefined {
  const value = parseJson(text);
  return value === undefined ? undefined : JSON.stringify(value, null, 2);
}

/** The parsed text; undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The answer "not JSON" is a value here; callers word the message.
    return undefined;
  }
}

export function isJson(text: string): boolean {
  return parseJson(text) !== undefined;
}

/** True for an empty text and for a JSON object. */
export function isJsonObjectOrEmpty(text: string): boolean {
  if (text.trim() === '') return true;
  return isRecord(parseJson(text));
}

/** True for what a JSON object is read as. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns true for a figure that changes when it is read as a number: it has more digits than are kept. */
export const losesDigits = (figure: string): boolean => digitsOf(figure) !== digitsOf(String(Number(figure)));

/** Exponents, and zeros at either end, are a way of writing. */
const digitsOf = (figure: string): string =>
  figure
    .replace(/e.*$/i, '')
    .replace(/\D/g, '')
    .replace(/^0+|0+$/g, '');
