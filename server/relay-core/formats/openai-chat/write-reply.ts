import type { ChatChoice, ChatReply } from '../../model/chat.js';
import type { ContentPart } from '../../model/content.js';
import { hasWholeCall } from '../shared/fields/tool-arguments.js';
import { freeformInputOf, freeformToolsOf } from '../shared/fields/freeform-tools.js';
import { documentOf, given, type Document } from '../shared/fields/json-fields.js';
import { writeMediaAddress } from '../shared/fields/media-address.js';
import type { ParsedCall, ReplyContext } from '../contract/api-format.js';
import { writeAnnotation } from './citations.js';
import { writeFinishReason } from '../shared/openai/openai-finish-reason.js';
import { writeUsage } from '../shared/openai/openai-usage.js';
import { CHAT_FORMAT } from './id.js';
import { writeCallSignature, writeDetails } from './reasoning-details.js';
import { placesIn } from './thought-places.js';

/** Neutral reply → `chat.completion`. */
export function writeChatReply(reply: ChatReply, context: ReplyContext, call: ParsedCall<'chat'>): Buffer {
  const freeform = freeformOf(call);
  return Buffer.from(
    JSON.stringify({
      ...reply.vendorOptions?.[CHAT_FORMAT],
      id: replyId(reply.id, context),
      object: 'chat.completion',
      created: reply.createdAtSeconds ?? context.createdAtSeconds,
      model: reply.servedModel === '' ? context.model : reply.servedModel,
      choices: reply.choices.map((choice, index) => writeChoice(choice, index, freeform)),
      ...(reply.usage === undefined ? {} : { usage: writeUsage(reply.usage) }),
    }),
  );
}

/** Names of the caller's tools that take plain text. */
export function freeformOf(call: ParsedCall<'chat'>): ReadonlySet<string> | undefined {
  // Only a call that was translated comes here, so its request was read.
  const request = call.neutral();
  return request.ok ? freeformToolsOf(request.value) : undefined;
}

function writeChoice(
  choice: ChatChoice,
  index: number,
  freeform: ReadonlySet<string> | undefined,
): Record<string, unknown> {
  return {
    ...choice.vendorOptions?.[CHAT_FORMAT],
    index,
    message: writeAnswer(choice.content, freeform),
    logprobs: choice.logprobs ?? null,
    finish_reason:
      choice.finish === undefined ? 'stop' : writeFinishReason(choice.finish, hasWholeCall(choice.content)),
  };
}

function writeAnswer(
  content: readonly ContentPart[],
  freeform: ReadonlySet<string> | undefined,
): Record<string, unknown> {
  // Strictly typed clients want what may be null to be there.
  const message: Record<string, unknown> = { role: 'assistant', content: null, refusal: null };
  const calls: Document[] = [];
  const annotations: Document[] = [];
  const images: Document[] = [];
  let place = { offset: 0, length: 0 };
  for (const part of content) {
    switch (part.type) {
      case 'text':
        place = { offset: place.offset + place.length, length: part.text.length };
        message['content'] = join(message['content'], part.text);
        break;
      case 'reasoning':
        if (part.text !== '') message['reasoning_content'] = join(message['reasoning_content'], part.text);
        break;
      case 'refusal':
        message['refusal'] = join(message['refusal'], part.text);
        break;
      case 'source':
        if (part.source.url !== undefined || part.source.vendorOptions?.[CHAT_FORMAT] !== undefined)
          annotations.push(writeAnnotation(part.source, place));
        break;
      case 'image':
        images.push({ type: 'image_url', image_url: { url: writeMediaAddress(part.source, 'image/png') } });
        break;
      case 'audio':
        message['audio'] = {
          ...part.vendorOptions?.[CHAT_FORMAT],
          data: part.source.kind === 'base64' ? part.source.base64 : '',
          ...given('transcript', part.transcript),
        };
        break;
      case 'vendor':
        if (part.apiFormat === CHAT_FORMAT) Object.assign(message, documentOf(part.value));
        break;
      case 'tool-call':
        if (part.callId === '') message['function_call'] = { name: part.name, arguments: part.json };
        else calls.push(writeCall(part, freeform));
        break;
      case 'video':
      case 'file':
        break;
    }
  }
  writeReasoningDetails(content, message);
  if (annotations.length > 0) message['annotations'] = annotations;
  if (images.length > 0) message['images'] = images;
  if (calls.length > 0) message['tool_calls'] = calls;
  return message;
}

/** Signatures travel as entries of reasoning; a vendor's own entries go back as they came. */
function writeReasoningDetails(content: readonly ContentPart[], message: Record<string, unknown>): void {
  const reasoning = content.filter((part) => part.type === 'reasoning');
  const own = reasoning[0]?.vendorOptions?.[CHAT_FORMAT]?.['reasoning_details'];
  if (own !== undefined) {
    message['reasoning_details'] = own;
    return;
  }
  const texts = content.filter(
    (part) => (part.type === 'text' || part.type === 'refusal') && part.signature !== undefined,
  );
  const proven = [...reasoning, ...texts].some((part) => 'signature' in part && part.signature !== undefined);
  if (!proven) return;
  const places = placesIn(content);
  message['reasoning_details'] = [
    ...reasoning.flatMap((part, index) => writeDetails(part, index, places[index])),
    ...texts.flatMap((part, index) =>
      part.type === 'text' && part.signature !== undefined
        ? writeDetails({ type: 'reasoning', text: '', signature: part.signature }, reasoning.length + index)
        : [],
    ),
  ];
}

function writeCall(
  part: Extract<ContentPart, { type: 'tool-call' }>,
  freeform: ReadonlySet<string> | undefined,
): Document {
  const signature = part.signature?.by === 'google' ? writeCallSignature(part.signature) : {};
  if (part.isFreeform === true || freeform?.has(part.name) === true) {
    const input = part.isFreeform === true ? part.json : freeformInputOf(part.json);
    return { id: part.callId, type: 'custom', custom: { name: part.name, input }, ...signature };
  }
  const called = { name: part.name, arguments: part.json };
  return { id: part.callId, type: 'function', function: called, ...signature };
}

const join = (before: unknown, text: string): string => (typeof before === 'string' ? before + text : text);

export const replyId = (id: string, context: ReplyContext): string =>
  id === '' ? `chatcmpl-${context.callId}` : id;
