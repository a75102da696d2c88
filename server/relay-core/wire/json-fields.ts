/** Lenient reading of vendors' documents: a member of the wrong type is a member that is not there. */
export type Document = Readonly<Record<string, unknown>>;

export const isDocument = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const documentOf = (value: unknown): Document => (isDocument(value) ? value : NOTHING);
const NOTHING: Document = Object.freeze({});

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : NO_ITEMS);
const NO_ITEMS: readonly unknown[] = Object.freeze([]);

/** A text that is there and not empty. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;
