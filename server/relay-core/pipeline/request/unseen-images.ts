import { scanObject, spliceFields } from '../../framing/json-splice.js';
import {
  documentOf,
  given,
  isDocument,
  textOf,
  type Document,
} from '../../formats/shared/fields/json-fields.js';
import type { Message } from '../../model/chat.js';
import type { ContentPart } from '../../model/content.js';
import type { ImageRules } from '../../model/vendor-description.js';
import type { Warning } from '../../model/warning.js';
import { messageSpans } from './message-spans.js';

export const UNSEEN_IMAGE = 'this model refuses it: the model reads a note in its place';
/** Text in the place of an image, for the model. */
export const IMAGE_NOTE = '[An image was left out: this model does not take it.]';

/** The API formats whose bytes may hold images, with the member that holds the conversation. */
const CONVERSATIONS: Readonly<Record<string, string>> = {
  'openai-chat': 'messages',
  'anthropic-messages': 'messages',
  'openai-responses': 'input',
};
const MARKS = ['"image_url"', '"image"', '"input_image"'].map((mark) => Buffer.from(mark));
const IMAGE_TYPES: ReadonlySet<unknown> = new Set(['image_url', 'image', 'input_image']);

/**
 * A body that passes, with notes in the place of images that its model refuses in earlier turns and in results of tools: one of them would
 * fail every later call of the conversation. Images of the question itself stay, so that its caller gets the refusal of the vendor.
 * @returns the same buffer when nothing changes
 */
export function noteUnseenImages(
  body: Buffer,
  format: string,
  rules: ImageRules,
  model: string,
  warnings: Warning[],
): Buffer {
  const name =
    rules.textModels === undefined && rules.types === undefined ? undefined : CONVERSATIONS[format];
  const document = name === undefined ? 'no conversation' : scanObject(body);
  if (name === undefined || typeof document === 'string') return body;
  const { bytes, members } = document;
  const span = members.get(name);
  if (span === undefined || !MARKS.some((mark) => bytes.subarray(span.start, span.end).includes(mark)))
    return body;
  const spans = messageSpans(bytes, span);
  const lastAnswer = spans.findLastIndex(({ role }) => ANSWERING.has(role));
  const parts: Buffer[] = [];
  let at = 0;
  for (const [index, { start, end }] of spans.entries()) {
    const message = scanObject(bytes.subarray(start, end));
    if (typeof message === 'string') continue;
    const changes = new Map<string, unknown>();
    for (const member of ['content', 'output']) {
      const held = message.members.get(member);
      if (held === undefined || message.bytes[held.start] !== OPEN_ARRAY) continue;
      const sent: unknown = JSON.parse(message.bytes.toString('utf8', held.start, held.end));
      const noted = withNotes(sent, `${name}.${index}.${member}`, index < lastAnswer || member === 'output');
      if (noted !== sent) changes.set(member, noted);
    }
    if (changes.size === 0) continue;
    parts.push(bytes.subarray(at, start), spliceFields(message, changes));
    at = end;
  }
  return parts.length === 0 ? body : Buffer.concat([...parts, bytes.subarray(at)]);

  function withNotes(content: unknown, path: string, isEarlier: boolean): unknown {
    if (!Array.isArray(content)) return content;
    let isChanged = false;
    const noted = content.map((part: unknown, index) => {
      if (!isDocument(part)) return part;
      if (part['type'] === 'tool_result') {
        const inner = withNotes(part['content'], `${path}.${index}.content`, true);
        if (inner === part['content']) return part;
        isChanged = true;
        return { ...part, content: inner };
      }
      if (!isEarlier || !IMAGE_TYPES.has(part['type']) || takesType(rules, model, typeOf(part))) return part;
      isChanged = true;
      warnings.push({ setting: `${path}.${index}`, reason: UNSEEN_IMAGE });
      const type = part['type'] === 'input_image' ? 'input_text' : 'text';
      return { type, text: IMAGE_NOTE, ...given('cache_control', part['cache_control']) };
    });
    return isChanged ? noted : content;
  }
}
const OPEN_ARRAY = 0x5b;
/** Authors of what stands before a question; items of the Responses API that are no messages have no role. */
const ANSWERING: ReadonlySet<string> = new Set(['assistant', 'tool', 'function', '']);

/** The same for messages of a call that is translated. */
export function withImageNotes(
  messages: readonly Message[],
  rules: ImageRules,
  model: string,
  warnings: Warning[],
): readonly Message[] {
  const lastAnswer = messages.findLastIndex(({ role }) => ANSWERING.has(role));
  return messages.map((message, index): Message => {
    if (index > lastAnswer) return message;
    const isUnseen = (part: ContentPart): boolean =>
      part.type === 'image' &&
      !takesType(rules, model, part.source.kind === 'vendor-file' ? undefined : part.source.mediaType);
    if (!message.content.some(isUnseen)) return message;
    warnings.push({ setting: 'image', reason: UNSEEN_IMAGE });
    const content = message.content.map((part): ContentPart =>
      isUnseen(part) ? { type: 'text', text: IMAGE_NOTE } : part,
    );
    return { ...message, content };
  });
}

/** An image of unknown type counts as taken. */
const takesType = ({ textModels, types }: ImageRules, model: string, type: string | undefined): boolean =>
  textModels?.test(model) !== true && (types === undefined || type === undefined || types.has(type));

function typeOf(part: Document): string | undefined {
  const { source, image_url: image } = part;
  if (isDocument(source)) return textOf(source['media_type'])?.toLowerCase();
  const url = textOf(image) ?? textOf(documentOf(image)['url']);
  return /^data:([^;,]+)/i.exec(url?.slice(0, LONGEST_TYPE) ?? '')?.[1]?.toLowerCase();
}
const LONGEST_TYPE = 100;
