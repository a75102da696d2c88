import type { ChatReply } from '../../model/chat.js';
import type { ContentPart, MediaSource } from '../../model/content.js';
import { shownFinish } from '../../model/finish-reason.js';
import { isDocument } from '../shared/fields/json-fields.js';
import { argumentsObject, hasWholeCall } from '../shared/fields/tool-arguments.js';
import type { ReplyContext } from '../contract/api-format.js';
import { writeCitation } from './citations.js';
import { writeStopReason } from './finish-reason.js';
import { MESSAGES_FORMAT } from './id.js';
import { writeSignature } from './signatures.js';
import { writeUsage } from './usage.js';

/** Neutral reply → message. */
export function writeMessagesReply(reply: ChatReply, context: ReplyContext): Buffer {
  const [choice] = reply.choices;
  const content = choice === undefined ? [] : writeContent(choice.content, context);
  const hasToolCalls = choice?.content.some((part) => part.type === 'tool-call') === true;
  const endsByCall =
    choice?.finish?.unified === 'other' && choice.finish.raw !== undefined
      ? hasWholeCall(choice.content)
      : hasToolCalls;
  return Buffer.from(
    JSON.stringify({
      ...NULLABLE,
      ...reply.vendorOptions?.[MESSAGES_FORMAT],
      id: messageId(reply.id, context),
      type: 'message',
      role: 'assistant',
      model: reply.servedModel === '' ? context.model : reply.servedModel,
      content,
      ...writeStopReason(choice === undefined ? undefined : shownFinish(choice), endsByCall),
      usage: writeUsage(reply.usage),
    }),
  );
}

/**
 * Members that are null in recorded answers of the vendor. The rest of what its document calls required is left out where it has no value,
 * as the vendor leaves it out: clients refuse a null that they never saw (test/support/schemas/left-out-members.ts).
 */
export const NULLABLE = { stop_details: null } as const;
/** Caller of the tool: the model itself, and not code it runs. */
export const DIRECT = { caller: { type: 'direct' } } as const;

export const messageId = (id: string, context: ReplyContext): string =>
  id === '' ? `msg_${context.callId}` : id;

type Block = Record<string, unknown>;

/**
 * Blocks of calls and texts have no field for a signature: an empty thought carries it, ahead of a call and behind a text, as in streams.
 * Behind the last text nothing stands: clients take the last block for the answer.
 */
function writeContent(parts: readonly ContentPart[], context: ReplyContext): Block[] {
  const blocks: Block[] = [];
  const early: unknown[] = [];
  let lastText: Block | undefined;
  /** Citations of the last text, once it has one: an answer may have any number of them. */
  let citations: unknown[] | undefined;
  let trailing: Block | undefined;
  const add = (block: Block): void => {
    if (trailing !== undefined) blocks.push(trailing);
    trailing = undefined;
    blocks.push(block);
  };
  for (const part of parts) {
    if (part.type === 'source') {
      const citation = writeCitation(part.source);
      if (citation === undefined) continue;
      if (lastText === undefined) early.push(citation);
      else if (citations === undefined) citations = cite(lastText, [citation]);
      else citations.push(citation);
      continue;
    }
    if (part.type === 'tool-call' && part.signature !== undefined)
      add(thought('', writeSignature(part.signature, 'next')));
    const block = writePart(part, blocks.length, context);
    lastText = block?.['type'] === 'text' ? block : undefined;
    // Sources that came before the words they stand for.
    citations = lastText === undefined || early.length === 0 ? undefined : cite(lastText, early.splice(0));
    if (block !== undefined) add(block);
    if (part.type === 'text' && part.signature !== undefined)
      trailing = thought('', writeSignature(part.signature, 'previous'));
  }
  return blocks;
}

/** @returns the list the block has now */
function cite(block: Block, citations: readonly unknown[]): unknown[] {
  const before = Array.isArray(block['citations']) ? (block['citations'] as readonly unknown[]) : [];
  const all = [...before, ...citations];
  block['citations'] = all;
  return all;
}

export const thought = (thinking: string, signature: string): Block => ({
  type: 'thinking',
  thinking,
  signature,
});

function writePart(part: ContentPart, index: number, context: ReplyContext): Block | undefined {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return part.text === '' ? undefined : { type: 'text', text: part.text };
    case 'reasoning':
      return writeThought(part);
    case 'tool-call':
      return {
        ...DIRECT,
        ...part.vendorOptions?.[MESSAGES_FORMAT],
        type: 'tool_use',
        id: toolUseId(part.callId, index, context),
        name: part.name,
        input: part.isFreeform === true ? { input: part.json } : argumentsObject(part.json),
      };
    case 'image':
      return { type: 'text', text: imageText(part.source) };
    case 'audio':
      return part.transcript === undefined ? undefined : { type: 'text', text: part.transcript };
    case 'vendor':
      return part.apiFormat === MESSAGES_FORMAT && isDocument(part.value) ? { ...part.value } : undefined;
    case 'source':
    case 'video':
    case 'file':
      return undefined;
  }
}

function writeThought(part: Extract<ContentPart, { type: 'reasoning' }>): Block | undefined {
  const { signature, text, isRedacted } = part;
  if (isRedacted === true && signature?.by === 'anthropic')
    return { type: 'redacted_thinking', data: signature.data };
  if (text === '' && signature === undefined) return undefined;
  return thought(text, signature === undefined ? '' : writeSignature(signature, 'itself', isRedacted));
}

export const toolUseId = (callId: string, index: number, context: ReplyContext): string =>
  callId === '' ? `toolu_${context.callId}_${index}` : callId;

/** Messages of this format hold no images: clients that render Markdown show it. */
export const imageText = (source: MediaSource): string =>
  source.kind === 'base64'
    ? `![image](data:${source.mediaType ?? 'image/png'};base64,${source.base64})`
    : `![image](${source.kind === 'url' ? source.url : source.fileId})`;
