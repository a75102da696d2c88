type Document = Readonly<Record<string, unknown>>;

export const isDocument = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const NOTHING: Document = Object.freeze({});

/** A JSON object, or an empty one for anything else. */
export const documentOf = (value: unknown): Document => (isDocument(value) ? value : NOTHING);
