import type { Envelope } from '../envelope.js';
import type { Language } from '../language.js';
import { ERROR_CATALOGUE, type ErrorCode } from './error-catalogue.js';
import type { ErrorRow } from './error-row.js';

/** A refusal as the console API answers it. */
export interface RenderedRefusal {
  readonly status: number;
  readonly body: Envelope & { readonly code: ErrorCode };
}

/**
 * The sentence of a refusal in the caller's language, with its stable code beside it.
 * @param values  what the `{name}` marks stand for; a mark without a value stays as it is
 */
export function renderRefusal(
  code: ErrorCode,
  values: Readonly<Record<string, string | number>>,
  language: Language,
): RenderedRefusal {
  const row: ErrorRow = ERROR_CATALOGUE[code];
  const message = row[language].replace(/\{(\w+)\}/g, (mark, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : mark,
  );
  return { status: row.status ?? 200, body: { success: false, message, code } };
}
