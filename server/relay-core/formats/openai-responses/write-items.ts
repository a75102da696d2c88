import type { Message } from '../../model/chat.js';
import type { ContentPart, MediaSource } from '../../model/content.js';
import type { Warning } from '../../model/warning.js';
import { writePortableSignature } from '../shared/fields/portable-signature.js';
import { fileNameFor } from '../shared/fields/file-names.js';
import { documentOf, given, type Document } from '../shared/fields/json-fields.js';
import { writeMediaAddress } from '../shared/fields/media-address.js';
import { audioFormatOf } from '../shared/fields/media-bytes.js';
import { writeAnnotation } from './annotations.js';
import { RESPONSES_FORMAT } from './id.js';
import { otherFormatValue } from '../shared/fields/dropped-fields.js';

type Item = Record<string, unknown>;

/** Turns as items of the input, in order; instructions stand outside. */
export function writeItems(
  messages: readonly Message[],
  freeform: ReadonlySet<string>,
  warnings: Warning[],
): readonly Item[] {
  return messages.flatMap((message) => {
    switch (message.role) {
      case 'tool':
        return [writeOutput(message, freeform, warnings)];
      case 'assistant':
        return writeAssistant(message, warnings);
      case 'system':
      case 'developer':
      case 'user':
        return [writeMessage(message, warnings)];
    }
  });
}

/** Ids of the calls whose answers are written in the form for plain text. */
export function freeformCallsOf(messages: readonly Message[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const message of messages) {
    if (
      message.role === 'tool' &&
      message.vendorOptions?.[RESPONSES_FORMAT]?.['type'] === 'custom_tool_call_output'
    )
      ids.add(message.callId);
    for (const part of message.content)
      if (part.type === 'tool-call' && part.isFreeform === true) ids.add(part.callId);
  }
  return ids;
}

function writeMessage(message: Exclude<Message, { role: 'tool' }>, warnings: Warning[]): Item {
  const [only] = message.content;
  const isText = message.content.length === 1 && only?.type === 'text' && only.vendorOptions === undefined;
  return {
    ...message.vendorOptions?.[RESPONSES_FORMAT],
    type: 'message',
    role: message.role,
    content: isText ? only.text : message.content.flatMap((part) => writeInputPart(part, warnings)),
  };
}

/** Texts of one run are one message; what stands between them keeps its place. */
function writeAssistant(message: Exclude<Message, { role: 'tool' }>, warnings: Warning[]): readonly Item[] {
  const items: Item[] = [];
  let texts: Item[] = [];
  const flush = (): void => {
    if (texts.length === 0) return;
    items.push({
      ...message.vendorOptions?.[RESPONSES_FORMAT],
      type: 'message',
      role: 'assistant',
      content: texts,
    });
    texts = [];
  };
  for (const part of message.content) {
    switch (part.type) {
      case 'text':
        if (part.text === '') break;
        texts.push({ ...part.vendorOptions?.[RESPONSES_FORMAT], type: 'output_text', text: part.text });
        break;
      case 'refusal':
        texts.push({ ...part.vendorOptions?.[RESPONSES_FORMAT], type: 'refusal', refusal: part.text });
        break;
      case 'source': {
        const last = texts.at(-1);
        if (last?.['type'] !== 'output_text') break;
        const annotation = writeAnnotation(part.source, String(last['text']).length);
        if (annotation === undefined) break;
        const before = last['annotations'];
        last['annotations'] = [...(Array.isArray(before) ? (before as unknown[]) : []), annotation];
        break;
      }
      default: {
        const item = writeTurnItem(part, warnings);
        if (item === undefined) break;
        flush();
        items.push(item);
      }
    }
  }
  flush();
  return items;
}

function writeTurnItem(part: ContentPart, warnings: Warning[]): Item | undefined {
  switch (part.type) {
    case 'tool-call':
      return {
        ...part.vendorOptions?.[RESPONSES_FORMAT],
        ...(part.isFreeform === true
          ? { type: 'custom_tool_call', call_id: part.callId, name: part.name, input: part.json }
          : { type: 'function_call', call_id: part.callId, name: part.name, arguments: part.json }),
      };
    case 'reasoning': {
      // A vendor does not read back reasoning it cannot prove to be its own, and this vendor refuses items it does not know.
      if (part.signature?.by !== 'openai') {
        warnings.push({
          setting: 'reasoning',
          reason: 'thoughts this vendor did not prove to be its own were left out',
        });
        return undefined;
      }
      return { ...reasoningItem(part), ...given('id', part.signature.id) };
    }
    case 'vendor':
      if (part.apiFormat === RESPONSES_FORMAT) return { ...documentOf(part.value) };
      warnings.push(otherFormatValue('input', 'part', part));
      return undefined;
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      warnings.push({ setting: 'input', reason: `an earlier answer's ${part.type} was left out` });
      return undefined;
    case 'text':
    case 'refusal':
    case 'source':
      return undefined;
  }
}

/** A reasoning item without its id, as requests and replies have it. */
export function reasoningItem(part: Extract<ContentPart, { type: 'reasoning' }>): Item {
  const own = part.vendorOptions?.[RESPONSES_FORMAT];
  const summary = part.text === '' ? [] : [{ type: 'summary_text', text: part.text }];
  const signature =
    part.signature &&
    writePortableSignature(part.signature, 'openai', {
      isRedacted: part.isRedacted === true,
      words: part.text,
    });
  return {
    ...own,
    type: 'reasoning',
    summary: own?.['summary'] ?? summary,
    ...given('encrypted_content', signature),
  };
}

function writeOutput(
  message: Extract<Message, { role: 'tool' }>,
  freeform: ReadonlySet<string>,
  warnings: Warning[],
): Item {
  const { content } = message;
  if (message.isError === true)
    warnings.push({ setting: 'is_error', reason: 'that a tool failed is left to the words of its answer' });
  const isText = content.every(({ type }) => type === 'text');
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  return {
    ...message.vendorOptions?.[RESPONSES_FORMAT],
    type: freeform.has(message.callId) ? 'custom_tool_call_output' : 'function_call_output',
    call_id: message.callId === '' ? (message.name ?? '') : message.callId,
    output: isText ? text : content.flatMap((part) => writeInputPart(part, warnings)),
  };
}

function writeInputPart(part: ContentPart, warnings: Warning[]): readonly Document[] {
  switch (part.type) {
    case 'text':
      return [{ ...part.vendorOptions?.[RESPONSES_FORMAT], type: 'input_text', text: part.text }];
    case 'refusal':
      return [{ type: 'input_text', text: part.text }];
    case 'image': {
      const place =
        part.source.kind === 'vendor-file'
          ? { file_id: part.source.fileId }
          : { image_url: writeMediaAddress(part.source, 'image/png') };
      return [
        {
          ...part.vendorOptions?.[RESPONSES_FORMAT],
          type: 'input_image',
          ...place,
          detail: part.detail ?? 'auto',
        },
      ];
    }
    case 'file':
      return [
        {
          ...part.vendorOptions?.[RESPONSES_FORMAT],
          type: 'input_file',
          ...given('filename', part.fileName ?? nameFor(part.source)),
          ...writeFile(part.source),
        },
      ];
    case 'audio':
      if (part.source.kind !== 'base64') break;
      return [
        {
          type: 'input_audio',
          input_audio: {
            data: part.source.base64,
            format: audioFormatOf(part.source.mediaType),
          },
        },
      ];
    case 'vendor':
      if (part.apiFormat === RESPONSES_FORMAT) return [documentOf(part.value)];
      warnings.push(otherFormatValue('input', 'part', part));
      return [];
    case 'video':
    case 'reasoning':
    case 'tool-call':
    case 'source':
      break;
  }
  warnings.push({
    setting: 'input',
    reason: `this format has no place for ${part.type} here; it was left out`,
  });
  return [];
}

const nameFor = (source: MediaSource): string | undefined =>
  source.kind === 'base64' ? fileNameFor(source.mediaType) : undefined;

function writeFile(source: MediaSource): Document {
  if (source.kind === 'vendor-file') return { file_id: source.fileId };
  if (source.kind === 'url') return { file_url: source.url };
  return { file_data: writeMediaAddress(source, 'application/pdf') };
}
