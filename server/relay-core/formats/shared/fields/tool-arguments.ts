import { MAX_JSON_DEPTH } from '../../../framing/json-cursor.js';
import type { ContentPart } from '../../../model/content.js';
import { parseDocument, type Document } from './json-fields.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** Shorter texts are parsed in no time, whatever they hold. */
const LONG = 64 * 1024;

/**
 * Arguments of a call as an object; undefined when the text holds none, or nests them deeper than any document may. A parser spends
 * most on nesting, and an upstream may write megabytes of it.
 */
export const parseArguments = (json: string): Document | undefined =>
  isTooDeep(json) ? undefined : parseDocument(json);

/**
 * Arguments of a call where a format has them as an object. A text that holds no whole object (cut off, `null`, a list) gives an empty one:
 * a tool must not run with a member that the model did not write.
 */
export const argumentsObject = (json: string): Document => parseArguments(json) ?? NO_ARGUMENTS;
const NO_ARGUMENTS: Document = Object.freeze({});

/** Whether a call came with all of its arguments: one that was cut off is no end by a call. */
export const hasWholeCall = (content: readonly ContentPart[]): boolean =>
  content.some(
    (part) =>
      part.type === 'tool-call' &&
      (part.isFreeform === true || part.json.trim() === '' || parseArguments(part.json) !== undefined),
  );

/** True for a long text that nests deeper than any document may. */
export function isTooDeep(json: string): boolean {
  if (json.length < LONG) return false;
  let depth = 0;
  let isText = false;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (isText) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) isText = false;
    } else if (code === QUOTE) isText = true;
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      depth += 1;
      if (depth > MAX_JSON_DEPTH) return true;
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) depth -= 1;
  }
  return false;
}
