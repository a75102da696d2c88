import type { ChatReply } from '../../model/chat.js';
import type { StreamEvent } from '../../model/stream-event.js';
import { parseDocument } from '../../formats/shared/fields/json-fields.js';
import { WRAPPING_FIELD, type Wrapping } from '../../formats/shared/fields/wrapped-response-format.js';
import type { EventAdapter } from './stream-body.js';

type TextDelta = Extract<StreamEvent, { readonly text: string }>;

/** Start of the object whose one member is the answer. */
const HEAD = new RegExp(`^\\s*\\{\\s*"${WRAPPING_FIELD}"\\s*:\\s*`);
/** Text that may still become such a start. */
const MAX_HEAD = 64;
/** Its end, as far as it may be one. */
const TAIL = /\s*\}?\s*$/;

/** The answer that stands in an object; what is none stays as it is. */
function unwrapped(text: string, wrapping: Wrapping): string {
  const value = parseDocument(text)?.[WRAPPING_FIELD];
  if (value === undefined) return text.replace(HEAD, '');
  return wrapping === 'word' && typeof value === 'string'
    ? value
    : text.replace(HEAD, '').replace(/\s*\}\s*$/, '');
}

/** A whole reply whose answers stand in objects. */
export function withoutWrapping(reply: ChatReply, wrapping: Wrapping): ChatReply {
  const choices = reply.choices.map((choice) => ({
    ...choice,
    content: choice.content.map((part) =>
      part.type === 'text' && part.text !== '' ? { ...part, text: unwrapped(part.text, wrapping) } : part,
    ),
  }));
  return { ...reply, choices };
}

/** A text of a stream: what of it is known not to be part of the object goes on at once. */
interface OpenText {
  readonly first: TextDelta;
  /** Null = it is past the beginning, or there is none. */
  head: string | null;
  isWrapped: boolean;
  tail: string;
}

/** The same for a stream. A word waits until it is whole: its quotes and escapes are not part of it. */
export function wrappedAnswerAdapter(wrapping: Wrapping): EventAdapter {
  const texts = new Map<number, OpenText>();
  const told = ({ first }: OpenText, text: string): readonly StreamEvent[] =>
    text === '' ? NOTHING : [{ ...first, text }];
  const end = (block: number): readonly StreamEvent[] => {
    const text = texts.get(block);
    if (text === undefined) return NOTHING;
    texts.delete(block);
    if (text.head !== null) return told(text, unwrapped(text.head, wrapping));
    return told(text, text.tail.replace(/\s*\}\s*$/, ''));
  };
  return (event) => {
    if (event.type === 'text-delta') {
      const text = texts.get(event.block) ?? { first: event, head: '', isWrapped: false, tail: '' };
      texts.set(event.block, text);
      return told(text, grow(text, event.text, wrapping));
    }
    if (event.type === 'block-end') return [...end(event.block), event];
    if (event.type !== 'choice-end' && event.type !== 'reply-end') return [event];
    return [...[...texts.keys()].flatMap(end), event];
  };
}

/** @returns the text to emit now */
function grow(text: OpenText, more: string, wrapping: Wrapping): string {
  if (text.head !== null) {
    text.head += more;
    if (wrapping === 'word') return '';
    const match = HEAD.exec(text.head);
    const rest = match === null ? text.head : text.head.slice(match[0].length);
    // Blanks before the answer belong to the object: its first sign is waited for.
    if (match === null ? isBeginning(text.head) : rest === '' && text.head.length < MAX_HEAD) return '';
    text.head = null;
    text.isWrapped = match !== null;
    return pass(text, rest);
  }
  return pass(text, more);
}

function pass(text: OpenText, more: string): string {
  if (!text.isWrapped) return more;
  const all = text.tail + more;
  const at = TAIL.exec(all)?.index ?? all.length;
  text.tail = all.slice(at);
  return all.slice(0, at);
}

/** Returns true when more of it may still make such a start. */
const isBeginning = (head: string): boolean => head.length < MAX_HEAD && /^\s*(\{[\s"a-z:]*)?$/.test(head);

const NOTHING: readonly never[] = Object.freeze([]);
