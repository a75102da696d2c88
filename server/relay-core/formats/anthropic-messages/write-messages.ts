import type { ChatRequest, Message } from '../../model/chat.js';
import type { Warning } from '../../model/warning.js';
import { orderHistory } from '../shared/requests/order-history.js';
import { MESSAGES_FORMAT } from './id.js';
import { IN_PLACE } from './read-request.js';
import type { OutgoingBlock } from './outgoing-block.js';
import { writeCache } from './write-tools.js';
import type { ContentPart } from '../../model/content.js';
import { isDocument, parseDocument } from '../shared/fields/json-fields.js';
import { PLACEHOLDER_TEXT } from './blank-texts.js';
import { writeCitation } from './citations.js';
import { writeMedia } from './media.js';
import { BLOCK_AS_SENT, IN_NEXT_BLOCK } from './read-blocks.js';
import { otherFormatValue } from '../shared/fields/dropped-fields.js';

/** The vendor takes no mark on thoughts. */
const mayBeMarked = (block: OutgoingBlock): boolean =>
  block.type !== 'thinking' && block.type !== 'redacted_thinking';

/** Ids this format takes: letters, digits, underscores, hyphens. */
const ALLOWED = /^[A-Za-z0-9_-]{1,128}$/;

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

/** Ids of tool calls as this format takes them: other vendors' ids may hold anything. */
export class CallIds {
  private readonly written = new Map<string, string>();
  private readonly taken = new Set<string>();

  /** The id a call, and its result, leave with. */
  idOf(callId: string): string {
    const before = this.written.get(callId);
    if (before !== undefined) return before;
    const wanted = ALLOWED.test(callId)
      ? callId
      : callId.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 100) || 'call';
    let id = wanted;
    for (let suffix = 2; this.taken.has(id); suffix += 1) id = `${wanted}_${suffix}`;
    this.written.set(callId, id);
    this.taken.add(id);
    return id;
  }
}

/**
 * Parts of a request's message as blocks. Thoughts leave with this family's signature only; blank texts, which the vendor
 * refuses, are left out.
 */
export function writeBlocks(
  parts: readonly ContentPart[],
  callIdOf: (callId: string) => string,
  warnings: Warning[],
): OutgoingBlock[] {
  const blocks: OutgoingBlock[] = [];
  for (const part of parts) {
    if (part.type === 'source') {
      cite(blocks.at(-1), part);
      continue;
    }
    const block = writeBlock(part, callIdOf, warnings);
    if (block === undefined) continue;
    if (part.type !== 'vendor' && part.cache !== undefined && mayBeMarked(block)) {
      block['cache_control'] = writeCache(part.cache);
    }
    blocks.push(block);
  }
  return blocks;
}

function cite(block: OutgoingBlock | undefined, part: Extract<ContentPart, { type: 'source' }>): void {
  if (block?.type !== 'text' || part.source.vendorOptions?.[MESSAGES_FORMAT] === undefined) return;
  const citation = writeCitation(part.source);
  const before = Array.isArray(block['citations']) ? (block['citations'] as readonly unknown[]) : [];
  if (citation !== undefined) block['citations'] = [...before, citation];
}

function writeBlock(
  part: Exclude<ContentPart, { type: 'source' }>,
  callIdOf: (callId: string) => string,
  warnings: Warning[],
): OutgoingBlock | undefined {
  switch (part.type) {
    case 'text': {
      const { [BLOCK_AS_SENT]: asSent, ...own } = part.vendorOptions?.[MESSAGES_FORMAT] ?? {};
      if (isDocument(asSent)) return { ...asSent, type: asSent['type'] };
      if (own[IN_NEXT_BLOCK] === true) return undefined;
      return part.text.trim() === '' ? undefined : { ...own, type: 'text', text: part.text };
    }
    case 'refusal':
      return part.text.trim() === '' ? undefined : { type: 'text', text: part.text };
    case 'reasoning':
      return writeThought(part, warnings);
    case 'tool-call':
      return {
        ...part.vendorOptions?.[MESSAGES_FORMAT],
        type: 'tool_use',
        id: callIdOf(part.callId),
        name: part.name,
        input: readArguments(part.json, warnings),
      };
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return writeMedia(part, warnings);
    case 'vendor':
      if (part.apiFormat === MESSAGES_FORMAT && isDocument(part.value))
        return { ...part.value, type: part.value['type'] };
      warnings.push(otherFormatValue('messages', 'part', part));
      return undefined;
  }
}

function writeThought(
  part: Extract<ContentPart, { type: 'reasoning' }>,
  warnings: Warning[],
): OutgoingBlock | undefined {
  if (part.signature?.by !== 'anthropic') {
    const reason = 'thoughts without this vendor’s signature were left out';
    if (part.text !== '' && !warnings.some((warning) => warning.reason === reason)) {
      warnings.push({ setting: 'messages', reason });
    }
    return undefined;
  }
  const { data } = part.signature;
  return part.isRedacted === true
    ? { type: 'redacted_thinking', data }
    : { type: 'thinking', thinking: part.text, signature: data };
}

/** Arguments as the object this format requires. Other values cannot be expressed here. */
function readArguments(json: string, warnings: Warning[]): unknown {
  if (json.trim() === '') return {};
  const value = parseDocument(json);
  if (value !== undefined) return value;
  warnings.push({
    setting: 'messages',
    reason: 'arguments of a tool call that are no JSON object were left out',
  });
  return {};
}
