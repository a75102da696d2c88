import type { Message } from '../../model/chat.js';
import { textOf, type Document, isDocument } from '../shared/fields/json-fields.js';
import { optionsOf, readBlocks } from './read-blocks.js';
import { readCacheMark } from '../shared/fields/cache-marks.js';

/** Agents keep what a tool gave back as it came: a text, a list of blocks, or a value of their own. */
const blocksOf = (content: unknown): readonly Document[] => {
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content];
  return parts.flatMap((part) => {
    if (part === null || part === undefined || part === '') return [];
    if (isDocument(part) && textOf(part['type']) !== undefined) return [part];
    return [{ type: 'text', text: typeof part === 'string' ? part : JSON.stringify(part) }];
  });
};

const RESULT_FIELDS = new Set(['type', 'tool_use_id', 'content', 'is_error', 'cache_control']);

/** A `tool_result` block as the message it is elsewhere. */
export function readToolResult(block: Document): Message {
  const { content } = block;
  return {
    role: 'tool',
    callId: textOf(block['tool_use_id']) ?? '',
    content: readBlocks(blocksOf(content)),
    ...(block['is_error'] === true ? { isError: true } : {}),
    ...readCacheMark(block),
    ...optionsOf(block, RESULT_FIELDS),
  };
}
