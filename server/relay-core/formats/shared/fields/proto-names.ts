import { isDocument, type Document } from './json-fields.js';

const SNAKE = /_([a-z0-9])/g;

/**
 * This grammar is protocol buffers in JSON: every member may be written `maxOutputTokens` or `max_output_tokens`.
 * Gives one object's own members their first spelling; what stands deeper is not touched, because arguments, schemas
 * and answers of functions are the caller's own words.
 * @returns the same object when nothing changes
 */
export function camelFields(document: Document): Document {
  let renamed: Record<string, unknown> | undefined;
  for (const key of Object.keys(document)) {
    if (!key.includes('_')) continue;
    renamed ??= { ...document };
    Reflect.deleteProperty(renamed, key);
    renamed[camelName(key)] ??= document[key];
  }
  return renamed ?? document;
}

/** `camelFields` of a member that should be an object; anything else is passed as it is, to be refused by its schema. */
export const camelled = (value: unknown): unknown => (isDocument(value) ? camelFields(value) : value);

export const camelName = (key: string): string =>
  key.replace(SNAKE, (_match, letter: string) => letter.toUpperCase());
