import type { ChatRequest, Message } from '../model/chat.js';
import type { ContentPart, MediaKind } from '../model/content.js';
import type { RelayError } from '../model/relay-error.js';
import type { Warning } from '../model/warning.js';
import type { UpstreamFormat } from './contract/api-format.js';
import { bytesSource } from './shared/fields/media-bytes.js';
import { documentOf, textOf } from './shared/fields/json-fields.js';
import { RESPONSES_FORMAT } from './openai-responses/id.js';

// Images that an earlier answer brought. Anthropic, OpenAI and vendors that resemble them refuse files in turns of the assistant.

type Turn = Exclude<Message, { role: 'tool' }>;
type Media = Extract<ContentPart, { type: MediaKind }>;
type Vendor = Pick<UpstreamFormat<'chat'>, 'id' | 'keepsAnswersMedia' | 'refuseRequest'>;

const HEAD = 'Files of the answer before:';
/** Text in the place of a file of an answer that its vendor does not take. */
export const ANSWER_NOTE = '[A file of this answer was left out: this model does not take it.]';
const MOVED = 'files of earlier answers stand in the next turn of the user';
const LEFT_OUT = 'files of earlier answers were left out: this vendor does not take them';

const EMBEDDED = /!\[[^\]]*\]\(data:(image\/[a-z0-9.+-]+);base64,([A-Za-z0-9+/]+={0,2})\)/g;

/**
 * A request whose earlier answers hold their images as images: items of OpenAI's tool, and images that travelled inside Markdown because
 * the API of the caller has no place for them.
 * @param apiFormat  id of the vendor's API: it reads its own items
 */
export function withAnswersPictures(request: ChatRequest, apiFormat: string): ChatRequest {
  const messages = request.messages.map((message): Message => {
    if (message.role !== 'assistant' || !message.content.some((part) => holdsPicture(part, apiFormat)))
      return message;
    return { ...message, content: message.content.flatMap((part) => picturesOf(part, apiFormat)) };
  });
  return messages.some((message, at) => message !== request.messages[at])
    ? { ...request, messages }
    : request;
}

const holdsPicture = (part: ContentPart, apiFormat: string): boolean =>
  part.type === 'text' ? part.text.includes('](data:image/') : resultOf(part, apiFormat) !== undefined;

/** Base64 of an image in an item that the vendor itself cannot read. */
function resultOf(part: ContentPart, apiFormat: string): string | undefined {
  if (part.type !== 'vendor' || part.apiFormat !== RESPONSES_FORMAT || apiFormat === RESPONSES_FORMAT)
    return undefined;
  const item = documentOf(part.value);
  return item['type'] === 'image_generation_call' ? textOf(item['result']) || undefined : undefined;
}

function picturesOf(part: ContentPart, apiFormat: string): readonly ContentPart[] {
  if (part.type === 'text') return part.text.includes('](data:image/') ? apart(part) : [part];
  const base64 = resultOf(part, apiFormat);
  if (base64 === undefined || part.type !== 'vendor') return [part];
  const format = textOf(documentOf(part.value)['output_format']);
  return [{ type: 'image', source: bytesSource(base64, `image/${format ?? 'png'}`) }];
}

/** A text, and the images inside it, in order. A signature stays with the first piece. */
function apart(part: Extract<ContentPart, { type: 'text' }>): readonly ContentPart[] {
  const { text, signature, ...rest } = part;
  const parts: ContentPart[] = [];
  let from = 0;
  const words = (to: number): void => {
    if (to > from) parts.push({ type: 'text', text: text.slice(from, to) });
  };
  for (const match of text.matchAll(EMBEDDED)) {
    words(match.index);
    parts.push({ type: 'image', source: bytesSource(match[2] ?? '', match[1]) });
    from = match.index + match[0].length;
  }
  if (from === 0) return [part];
  words(text.length);
  const [first, ...others] = parts;
  if (first === undefined || first.type !== 'text' || signature === undefined) return parts;
  return [{ ...rest, ...first, signature }, ...others];
}

/**
 * A request whose earlier answers hold no files that the vendor refuses there: images and documents follow the answer, and the results of
 * its calls, in the turn of the user; sound becomes its transcript. A note stands for what the vendor does not take at all.
 */
export function withoutAnswersFiles(
  request: ChatRequest,
  vendor: Vendor,
  upstreamModel: string,
  warnings: Warning[],
): ChatRequest {
  const isKept = (part: ContentPart): boolean =>
    !isMedia(part) || vendor.keepsAnswersMedia?.(part, upstreamModel) === true;
  const isFitting = (message: Message): boolean =>
    message.role !== 'assistant' || message.content.every(isKept);
  if (request.messages.every(isFitting)) return request;
  const moved = { ...request, messages: move(request.messages, isKept) };
  const refused = (asked: ChatRequest): RelayError | undefined => vendor.refuseRequest?.(asked);
  const bare = { ...request, messages: request.messages.map((message) => noted(message, isKept)) };
  const isTaken = refused(moved) === undefined || refused(bare) !== undefined;
  warnings.push({ setting: 'messages', reason: isTaken ? MOVED : LEFT_OUT });
  return isTaken ? moved : bare;
}

const isMedia = (part: ContentPart): part is Media =>
  part.type === 'image' || part.type === 'file' || part.type === 'audio' || part.type === 'video';

const isMoved = (part: ContentPart): boolean => part.type === 'image' || part.type === 'file';

/** Words in the place of a file. */
const noteFor = (part: ContentPart): ContentPart => ({
  type: 'text',
  text: part.type === 'audio' && part.transcript !== undefined ? part.transcript : ANSWER_NOTE,
});

function noted(message: Message, isKept: (part: ContentPart) => boolean): Message {
  if (message.role !== 'assistant') return message;
  return { ...message, content: message.content.map((part) => (isKept(part) ? part : noteFor(part))) };
}

function move(messages: readonly Message[], isKept: (part: ContentPart) => boolean): readonly Message[] {
  const written: Message[] = [];
  let waiting: readonly ContentPart[] = [];
  for (const message of messages) {
    if (waiting.length > 0 && message.role !== 'tool') {
      const content = [{ type: 'text' as const, text: HEAD }, ...waiting];
      waiting = [];
      if (message.role === 'user') {
        written.push({ ...message, content: [...content, ...message.content] });
        continue;
      }
      written.push({ role: 'user', content });
    }
    written.push(message.role === 'assistant' ? withoutMoved(message, isKept) : message);
    if (message.role === 'assistant')
      waiting = message.content.filter((part) => !isKept(part) && isMoved(part));
  }
  if (waiting.length > 0) written.push({ role: 'user', content: [{ type: 'text', text: HEAD }, ...waiting] });
  return written.filter(({ role, content }) => role !== 'assistant' || content.length > 0);
}

const withoutMoved = (message: Turn, isKept: (part: ContentPart) => boolean): Turn => ({
  ...message,
  content: message.content.flatMap((part) => (isKept(part) ? [part] : isMoved(part) ? [] : [noteFor(part)])),
});
