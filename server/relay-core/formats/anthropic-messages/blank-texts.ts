import { SCAN_FLAGS } from '../../framing/scan-flags.js';
import type { ScannedObject } from '../../framing/json-splice.js';
import {
  passedLists,
  withEdits,
  type Edit,
  type PassedContent,
  type PassedItem,
  type Span,
} from './passed-blocks.js';

/** The vendor wants words in a turn of the user, and in a result that is an error. */
export const PLACEHOLDER_TEXT = '...';
const PLACEHOLDER = JSON.stringify(PLACEHOLDER_TEXT);

/**
 * A body that passes, without texts of white space alone. Clients keep such texts in a history, of interrupted or compacted turns, and the
 * vendor then refuses each further call of the conversation ("text content blocks must be non-empty"):
 * https://github.com/anthropics/claude-code/issues/23390, https://github.com/anthropics/claude-code/issues/59807 (read 2026-11-30).
 * Such a turn of the assistant is left out whole; a mark of a cached prefix moves to the block before.
 * @returns the same buffer when the scan found no such text
 */
export function withoutBlankTexts(body: Buffer, { scanFlags = 0 }: Pick<ScannedObject, 'scanFlags'>): Buffer {
  if ((scanFlags & (SCAN_FLAGS.blankText | SCAN_FLAGS.bareTurn)) === 0) return body;
  const { system, messages } = passedLists(body);
  const edits: Edit[] = [];
  if (system !== undefined && system.items.length > 0) {
    if (system.items.every(isBlankText)) edits.push({ ...system, text: '""' });
    else fillContent(body, system.items, edits);
  }
  if (messages !== undefined) fillMessages(body, messages.items, edits);
  return withEdits(body, edits);
}

const isBlankText = ({ type, isBlank }: PassedItem): boolean => type === 'text' && isBlank;

/** A message with content that holds nothing. */
const isBlankContent = (content: PassedContent | undefined): boolean =>
  content !== undefined && (content.isBlank || isEmptyList(content) || isAllBlank(content.items));
const isEmptyList = ({ items, start, end }: PassedContent): boolean =>
  items.length === 0 && end - start === 2;
const isAllBlank = (items: readonly PassedItem[]): boolean => items.length > 0 && items.every(isBlankText);

function fillMessages(body: Buffer, messages: readonly PassedItem[], edits: Edit[]): void {
  const isLeftOut = ({ role, content }: PassedItem): boolean =>
    role === 'assistant' && isBlankContent(content);
  const left = messages.every(isLeftOut) ? [] : leftOut(messages, isLeftOut);
  edits.push(...left.map(({ span }) => ({ ...span, text: '' })));
  for (const message of messages) {
    const { content } = message;
    if (content === undefined || isLeftOut(message)) continue;
    if (content.isBlank || isAllBlank(content.items)) edits.push({ ...content, text: PLACEHOLDER });
    else fillContent(body, content.items, edits);
  }
}

/** Leaves blank texts out of a list that holds something else. */
function fillContent(body: Buffer, items: readonly PassedItem[], edits: Edit[]): void {
  for (const { span, item, before } of leftOut(items, isBlankText)) {
    edits.push({ ...span, text: '' });
    const { cache } = item;
    if (cache !== undefined && before !== undefined && mayBeMarked(before)) {
      const mark = body.toString('utf8', cache.start, cache.end);
      edits.push({ start: before.end - 1, end: before.end - 1, text: `,"cache_control":${mark}` });
    }
  }
  for (const { content, isError } of items) {
    if (content === undefined) continue;
    if (content.isBlank || isAllBlank(content.items))
      edits.push({ ...content, text: isError ? PLACEHOLDER : '""' });
    else fillContent(body, content.items, edits);
  }
}

const mayBeMarked = ({ type, cache }: PassedItem): boolean =>
  cache === undefined && type !== '' && type !== 'thinking' && type !== 'redacted_thinking';

interface LeftOut {
  readonly item: PassedItem;
  /** The item with its comma. */
  readonly span: Span;
  /** The item before that stays, when this one is the first behind it that does not. */
  readonly before?: PassedItem;
}

/** Items to leave out of a list of which at least one stays. */
function leftOut(items: readonly PassedItem[], isLeftOut: (item: PassedItem) => boolean): readonly LeftOut[] {
  const found: LeftOut[] = [];
  let kept: PassedItem | undefined;
  let isMarked = false;
  for (const [index, item] of items.entries()) {
    if (!isLeftOut(item)) {
      kept = item;
      isMarked = false;
      continue;
    }
    const span =
      kept === undefined
        ? { start: item.start, end: items[index + 1]?.start ?? item.end }
        : { start: items[index - 1]?.end ?? item.start, end: item.end };
    const takesMark = item.cache !== undefined && kept !== undefined && !isMarked;
    if (takesMark) isMarked = true;
    found.push({ item, span, ...(takesMark ? { before: kept } : {}) });
  }
  return found;
}
