import type { Message } from '../../model/chat.js';
import { documentOf, textOf, type Document } from '../shared/fields/json-fields.js';
import { cacheOf, optionsOf, readBlocks } from './read-blocks.js';

const RESULT_MEMBERS = new Set(['type', 'tool_use_id', 'content', 'is_error', 'cache_control']);

/** A `tool_result` block as the message it is elsewhere. */
export function readToolResult(block: Document): Message {
  const { content } = block;
  const isText = typeof content === 'string';
  const blocks = Array.isArray(content) ? content.map(documentOf) : [];
  return {
    role: 'tool',
    callId: textOf(block['tool_use_id']) ?? '',
    content: isText ? (content === '' ? [] : [{ type: 'text', text: content }]) : readBlocks(blocks),
    ...(block['is_error'] === true ? { isError: true } : {}),
    ...cacheOf(block),
    ...optionsOf(block, RESULT_MEMBERS),
  };
}
