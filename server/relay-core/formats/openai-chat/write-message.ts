import type { Message } from '../../model/chat.js';
import type { ContentPart } from '../../model/content.js';
import type { Warning } from '../../model/warning.js';
import { fileNameFor } from '../shared/fields/file-names.js';
import { writeMediaAddress } from '../shared/fields/media-address.js';
import { audioFormatOf } from '../shared/fields/media-bytes.js';
import { given, type Document } from '../shared/fields/json-fields.js';
import { writeCacheMark } from '../shared/fields/cache-marks.js';
import { CHAT_FORMAT } from './id.js';
import { writeCallSignature, writeDetails } from './reasoning-details.js';
import { otherFormatValue } from '../shared/fields/dropped-fields.js';

/**
 * A conversation in the form a vendor of this format gets. Answers of tools are texts here: their images and files follow the
 * answers of the turn, as words of the user.
 */
export function writeMessages(
  messages: readonly Message[],
  warnings: Warning[],
): readonly Record<string, unknown>[] {
  const written: Record<string, unknown>[] = [];
  let shown: ContentPart[] = [];
  const show = (): void => {
    if (shown.length > 0) written.push(writeMessage({ role: 'user', content: shown }, warnings));
    shown = [];
  };
  for (const message of messages) {
    if (message.role !== 'tool') {
      show();
      const spoken = writeMessage(message, warnings);
      if (!isSilent(spoken)) written.push(spoken);
      else if (spoken['reasoning_content'] !== undefined)
        warnings.push({ setting: 'messages', reason: 'a turn of thoughts alone was left out' });
      continue;
    }
    if (message.isError === true)
      warnings.push({ setting: 'is_error', reason: 'that a tool failed is left to the words of its answer' });
    const media = message.content.filter(isMedia);
    if (media.length === 0) written.push(writeMessage(message, warnings));
    else {
      const content = message.content.filter((part) => !isMedia(part));
      written.push(writeMessage({ ...message, content }, warnings));
      shown.push({ type: 'text', text: `Files of the tool's answer ${message.callId}:` }, ...media);
    }
  }
  show();
  return written;
}

/** A model's turn of thoughts alone: vendors want words or calls in it. */
const isSilent = ({ role, content, refusal, tool_calls, function_call, ...rest }: Document): boolean =>
  role === 'assistant' &&
  content === '' &&
  refusal === undefined &&
  tool_calls === undefined &&
  function_call === undefined &&
  Object.keys(rest).every((name) => name === 'reasoning_content');

const isMedia = ({ type }: ContentPart): boolean =>
  type === 'image' || type === 'audio' || type === 'video' || type === 'file';

/** One message. */
function writeMessage(message: Message, warnings: Warning[]): Record<string, unknown> {
  const own = { ...message.vendorOptions?.[CHAT_FORMAT] };
  const entry: Record<string, unknown> = { role: message.role };
  const parts: Record<string, unknown>[] = [];
  const calls: Record<string, unknown>[] = [];
  const reasoning: Extract<ContentPart, { type: 'reasoning' }>[] = [];
  for (const part of message.content) {
    if (part.type === 'tool-call') calls.push(writeCall(part));
    else if (part.type === 'reasoning') reasoning.push(part);
    else if (part.type === 'refusal' && message.role === 'assistant') entry['refusal'] = part.text;
    else {
      const written = writePart(part, warnings);
      if (written !== undefined) parts.push(written);
    }
  }
  const onlyText = parts.length === 1 && parts[0]?.['type'] === 'text' && Object.keys(parts[0]).length === 2;
  entry['content'] = onlyText ? parts[0]?.['text'] : parts.length > 0 ? parts : calls.length > 0 ? null : '';
  writeReasoning(reasoning, own, entry);
  const [first] = calls;
  if (first !== undefined && calls.length === 1 && first['id'] === '')
    entry['function_call'] = first['function'];
  else if (calls.length > 0) entry['tool_calls'] = calls;
  if (message.name !== undefined) entry['name'] = message.name;
  if (message.role === 'tool') {
    if (message.callId === '') entry['role'] = 'function';
    else entry['tool_call_id'] = message.callId;
  }
  return { ...own, ...entry };
}

/** Text with its signatures where there are any; a vendor's own entries go back as they came. */
function writeReasoning(
  reasoning: readonly Extract<ContentPart, { type: 'reasoning' }>[],
  own: Readonly<Record<string, unknown>>,
  written: Record<string, unknown>,
): void {
  const text = reasoning.map((part) => part.text).join('');
  if (text !== '' && own['reasoning'] === undefined) written['reasoning_content'] = text;
  if (own['reasoning_details'] !== undefined || reasoning.every(({ signature }) => signature === undefined))
    return;
  written['reasoning_details'] = reasoning.flatMap((part, index) => writeDetails(part, index));
}

function writeCall(part: Extract<ContentPart, { type: 'tool-call' }>): Record<string, unknown> {
  const signature = part.signature?.by === 'google' ? writeCallSignature(part.signature) : {};
  const own = { ...part.vendorOptions?.[CHAT_FORMAT], id: part.callId };
  return part.isFreeform === true
    ? { ...own, type: 'custom', custom: { name: part.name, input: part.json }, ...signature }
    : { ...own, type: 'function', function: { name: part.name, arguments: part.json }, ...signature };
}

/** A part, with the mark of the cache where there is one. */
function writePart(part: ContentPart, warnings: Warning[]): Record<string, unknown> | undefined {
  const written = writeBare(part, warnings);
  return written === undefined || part.type === 'vendor'
    ? written
    : { ...written, ...writeCacheMark(part.cache) };
}

function writeBare(part: ContentPart, warnings: Warning[]): Record<string, unknown> | undefined {
  switch (part.type) {
    case 'text':
      return part.text === ''
        ? undefined
        : { ...part.vendorOptions?.[CHAT_FORMAT], type: 'text', text: part.text };
    case 'refusal':
      return { ...part.vendorOptions?.[CHAT_FORMAT], type: 'refusal', refusal: part.text };
    case 'image': {
      const detail = writeDetail(part.detail, warnings);
      const image = { url: writeMediaAddress(part.source, 'image/png'), ...given('detail', detail) };
      return { ...part.vendorOptions?.[CHAT_FORMAT], type: 'image_url', image_url: image };
    }
    case 'video':
      return {
        ...part.vendorOptions?.[CHAT_FORMAT],
        type: 'video_url',
        video_url: { url: writeMediaAddress(part.source, 'video/mp4') },
      };
    case 'audio':
      if (part.source.kind !== 'base64') {
        warnings.push({ setting: 'audio', reason: 'this format takes sound as bytes only' });
        return undefined;
      }
      return {
        ...part.vendorOptions?.[CHAT_FORMAT],
        type: 'input_audio',
        input_audio: {
          data: part.source.base64,
          format: audioFormatOf(part.source.mediaType),
        },
      };
    case 'file':
      return { ...part.vendorOptions?.[CHAT_FORMAT], type: 'file', file: writeFile(part) };
    case 'vendor':
      if (part.apiFormat === CHAT_FORMAT) return { ...(part.value as Document) };
      warnings.push(otherFormatValue('content', 'part', part));
      return undefined;
    case 'reasoning':
    case 'tool-call':
    case 'source':
      return undefined;
  }
}

/** The Responses API has a word more. */
function writeDetail(detail: string | undefined, warnings: Warning[]): string | undefined {
  if (detail !== 'original') return detail;
  warnings.push({ setting: 'detail', reason: "this format's closest look at a picture is 'high'" });
  return 'high';
}

function writeFile(
  part: Extract<ContentPart, { type: 'image' | 'audio' | 'video' | 'file' }>,
): Record<string, unknown> {
  const { source } = part;
  // Bytes without a name are refused by OpenAI, as if they were no file.
  const fileName = part.fileName ?? (source.kind === 'base64' ? fileNameFor(source.mediaType) : undefined);
  const name = fileName === undefined ? {} : { filename: fileName };
  return source.kind === 'vendor-file'
    ? { ...name, file_id: source.fileId }
    : { ...name, file_data: writeMediaAddress(source, 'application/pdf') };
}
