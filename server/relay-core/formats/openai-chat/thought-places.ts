import type { ContentPart } from '../../model/content.js';
import { numberOf, type Document } from '../shared/fields/json-fields.js';

/**
 * Parts of an answer before a thought. A message keeps thoughts, text and calls apart; vendors that sign thoughts want each
 * back where it stood between them.
 */
export interface ThoughtPlace {
  /** UTF-16 units. */
  readonly text: number;
  readonly calls: number;
}

export const AT_START: ThoughtPlace = { text: 0, calls: 0 };

/** Members of an entry of `reasoning_details`; none at the start of the answer. */
export const placeFields = ({ text, calls }: ThoughtPlace): Document => ({
  ...(text > 0 ? { text_before: text } : {}),
  ...(calls > 0 ? { calls_before: calls } : {}),
});

export const readPlace = (entry: Document): ThoughtPlace => ({
  text: numberOf(entry['text_before']) ?? 0,
  calls: numberOf(entry['calls_before']) ?? 0,
});

/** Places of the thoughts of an answer, in their order. */
export function placesIn(content: readonly ContentPart[]): readonly ThoughtPlace[] {
  let place = AT_START;
  return content.flatMap((part) => {
    if (part.type === 'text') place = { ...place, text: place.text + part.text.length };
    else if (part.type === 'tool-call') place = { ...place, calls: place.calls + 1 };
    return part.type === 'reasoning' ? [place] : [];
  });
}

/** The parts of a turn, each thought where it stood. @param thoughts  in their order */
export function inPlace(
  thoughts: readonly { readonly part: ContentPart; readonly place: ThoughtPlace }[],
  said: readonly ContentPart[],
  calls: readonly ContentPart[],
): ContentPart[] {
  const ordered: ContentPart[] = [];
  const leftSaid = [...said];
  let told = 0;
  let called = 0;
  for (const { part, place } of thoughts) {
    while (told < place.text) {
      const next = leftSaid.shift();
      if (next === undefined) break;
      const room = place.text - told;
      if (next.type !== 'text') ordered.push(next);
      else if (next.text.length <= room) {
        told += next.text.length;
        ordered.push(next);
      } else {
        told = place.text;
        const { cache: _end, ...start } = next;
        ordered.push({ ...start, text: next.text.slice(0, room) });
        leftSaid.unshift({ ...next, text: next.text.slice(room) });
      }
    }
    const until = Math.max(called, place.calls);
    ordered.push(...calls.slice(called, until), part);
    called = until;
  }
  return [...ordered, ...leftSaid, ...calls.slice(called)];
}
