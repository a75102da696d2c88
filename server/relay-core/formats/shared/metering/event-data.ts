import { parseAsWritten } from '../../../framing/exact-json.js';
import { parseDocument, type Document } from '../fields/json-fields.js';

/** Characters that JSON leaves as they are and that clients of event streams take for ends of lines. */
const LINE_ENDS = /[\u0085\u2028\u2029]/;
const EACH_LINE_END = new RegExp(LINE_ENDS, 'g');

/** A value as the data of an event: one line for every reader of lines. */
export function eventJson(value: unknown): string {
  const json = JSON.stringify(value);
  return LINE_ENDS.test(json) ? json.replace(EACH_LINE_END, escapeUnit) : json;
}

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Changes the documents of events that passed untouched.
 * @param edit  undefined = this one stays as it is
 */
export function editEvents(frames: string, edit: (document: Document) => Document | undefined): string {
  return frames.replace(/^data: ?(\{.*\})(\r?)$/gm, (line, json: string, end: string) => {
    const document = documentIn(json);
    const changed = document === undefined ? undefined : edit(document);
    return changed === undefined ? line : `data: ${eventJson(changed)}${end}`;
  });
}

/** The last document among events' data; undefined = there is none. */
export function lastDocument(frames: string): Document | undefined {
  for (const match of [...frames.matchAll(/^data: ?(\{.*\})\r?$/gm)].reverse()) {
    const document = documentIn(match[1] ?? '');
    if (document !== undefined) return document;
  }
  return undefined;
}

const documentIn = (json: string): Document | undefined =>
  parseDocument(json, (text) => parseAsWritten(text, READ_NUMBERS));

const READ_NUMBERS: ReadonlySet<string> = new Set(['created']);
