import type { ChatRequest, Message } from '../../model/chat.js';
import type { Warning } from '../../model/warning.js';
import { orderHistory } from '../shared/requests/order-history.js';
import { CallIds } from './call-ids.js';
import { MESSAGES_FORMAT } from './id.js';
import { IN_PLACE } from './read-request.js';
import type { OutgoingBlock } from './outgoing-block.js';
import { writeBlocks } from './write-blocks.js';
import { writeCache } from './write-tools.js';

/** One turn on its way out. */
interface Turn {
  readonly role: 'user' | 'assistant' | 'system';
  readonly blocks: OutgoingBlock[];
}

export interface WrittenMessages {
  /** Undefined = no instructions. */
  readonly system: readonly OutgoingBlock[] | undefined;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

/** Marks of cached prefixes one request may hold. */
const MAX_CACHE_MARKS = 4;
/** The vendor wants words where the caller said none; a message that holds something is carried or refused. */
const PLACEHOLDER_TEXT = '...';

/**
 * A conversation as this vendor takes it: instructions apart, turns that alternate, answers of tools at the head of the
 * turn behind their calls. What does not fit is made to fit, with a warning where meaning moved.
 */
export function writeMessages(request: ChatRequest, warnings: Warning[]): WrittenMessages {
  const ids = new CallIds();
  const system: OutgoingBlock[] = [];
  const turns: Turn[] = [];
  for (const message of orderHistory(request, warnings, { hasUniqueIds: true })) {
    if (message.role === 'tool') blocksOf(turns, 'user').push(writeResult(message, ids, warnings));
    else {
      const blocks = writeBlocks(message.content, (callId) => ids.idOf(callId), warnings);
      if (message.role === 'user' || message.role === 'assistant') {
        if (blocks.length > 0 || message.role === 'user') blocksOf(turns, message.role).push(...blocks);
      } else if (message.vendorOptions?.[MESSAGES_FORMAT]?.[IN_PLACE] === true) {
        if (blocks.length > 0) blocksOf(turns, 'system').push(...blocks);
      } else system.push(...blocks);
    }
  }
  if (turns.find(({ role }) => role !== 'system')?.role !== 'user')
    turns.unshift({ role: 'user', blocks: [] });
  for (const { role, blocks } of turns) {
    if (role === 'user' && blocks.length === 0) blocks.push({ type: 'text', text: PLACEHOLDER_TEXT });
  }
  trimPrefill(turns.at(-1));
  limitMarks([...system, ...turns.flatMap(({ blocks }) => blocks)], warnings);
  return {
    system: system.length === 0 ? undefined : system,
    messages: turns.map(({ role, blocks }) => ({ role, content: plainly(blocks) })),
  };
}

/** The blocks of the turn that is running, or of a new one. */
function blocksOf(turns: Turn[], role: Turn['role']): OutgoingBlock[] {
  const last = turns.at(-1);
  if (last?.role === role) return last.blocks;
  const turn: Turn = { role, blocks: [] };
  turns.push(turn);
  return turn.blocks;
}

function writeResult(
  message: Extract<Message, { role: 'tool' }>,
  ids: CallIds,
  warnings: Warning[],
): OutgoingBlock {
  const content = writeBlocks(message.content, (callId) => ids.idOf(callId), warnings);
  const block: OutgoingBlock = {
    ...message.vendorOptions?.[MESSAGES_FORMAT],
    type: 'tool_result',
    tool_use_id: ids.idOf(message.callId),
  };
  if (content.length > 0) block['content'] = plainly(content);
  if (message.isError === true) block['is_error'] = true;
  if (message.cache !== undefined) block['cache_control'] = writeCache(message.cache);
  return block;
}

/** One plain text is written as a string, the way most callers write it. */
function plainly(blocks: readonly OutgoingBlock[]): unknown {
  const [only] = blocks;
  return blocks.length === 1 && only?.type === 'text' && Object.keys(only).length === 2
    ? only['text']
    : blocks;
}

/** An answer the caller began may not end in white space. */
function trimPrefill(last: Turn | undefined): void {
  const block = last?.role === 'assistant' ? last.blocks.at(-1) : undefined;
  if (block?.type === 'text' && typeof block['text'] === 'string') block['text'] = block['text'].trimEnd();
}

/** The last marks count: they hold the longest prefixes. */
function limitMarks(blocks: readonly OutgoingBlock[], warnings: Warning[]): void {
  const marked = blocks.filter((block) => block['cache_control'] !== undefined);
  if (marked.length <= MAX_CACHE_MARKS) return;
  warnings.push({
    setting: 'cache_control',
    reason: `at most ${MAX_CACHE_MARKS} marks are taken; the last were kept`,
  });
  for (const block of marked.slice(0, -MAX_CACHE_MARKS)) delete block['cache_control'];
}
