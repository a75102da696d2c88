import type { ChatRequest, Message, ResponseFormat } from '../../model/chat.js';
import type { ContentPart, MediaSource } from '../../model/content.js';
import type { Tool, ToolChoice } from '../../model/tool.js';
import type { Warning } from '../../model/warning.js';
import type { RequestEdits, WrittenRequest } from '../wire.js';
import { CHAT_WIRE } from './id.js';
import { FORBIDDEN_MEMBERS } from '../request-fields.js';
import { FOREIGN_FORMAT } from './read-request.js';

/** Neutral request → body for an upstream of this wire. What another wire alone knows is left out with a warning. */
export function writeChatRequest(request: ChatRequest, edits: RequestEdits): WrittenRequest {
  const warnings: Warning[] = [];
  const { [FOREIGN_FORMAT]: foreignFormat, ...own } = { ...request.vendorOptions?.[CHAT_WIRE] } as Record<
    string,
    unknown
  >;
  for (const wire of Object.keys(request.vendorOptions ?? {})) {
    if (wire !== CHAT_WIRE)
      warnings.push({ setting: wire, reason: `fields only the ${wire} wire knows were left out` });
  }
  const body: Record<string, unknown> = { ...own };
  for (const name of FORBIDDEN_MEMBERS) delete body[name];
  body['model'] = edits.upstreamModel;
  body['messages'] = request.messages.map((message) => writeMessage(message, warnings));
  set(
    body,
    'tools',
    request.tools?.flatMap((tool) => writeTool(tool, warnings)),
  );
  set(body, 'tool_choice', request.toolChoice && writeToolChoice(request.toolChoice, warnings));
  set(body, 'parallel_tool_calls', request.parallelToolCalls);
  set(
    body,
    edits.usesCompletionCap ? 'max_completion_tokens' : 'max_tokens',
    edits.outputCap ?? request.maxOutputTokens,
  );
  set(body, 'temperature', request.temperature);
  set(body, 'top_p', request.topP);
  set(body, 'frequency_penalty', request.frequencyPenalty);
  set(body, 'presence_penalty', request.presencePenalty);
  set(body, 'seed', request.seed);
  set(body, 'stop', request.stop);
  if (request.choices > 1) body['n'] = request.choices;
  set(
    body,
    'response_format',
    foreignFormat ?? (request.responseFormat && writeFormat(request.responseFormat)),
  );
  set(body, 'reasoning_effort', request.reasoning?.effort);
  set(body, 'user', request.user);
  if (request.stream) {
    body['stream'] = true;
    const wantsUsage = edits.reportUsage || request.wantsStreamUsage;
    if (wantsUsage && !edits.dropStreamOptions) body['stream_options'] = { include_usage: true };
  }
  for (const name of edits.refusedMembers) delete body[name];
  return { body: Buffer.from(JSON.stringify(body)), warnings };
}

function writeMessage(message: Message, warnings: Warning[]): Record<string, unknown> {
  const wire: Record<string, unknown> = { role: message.role };
  const parts: Record<string, unknown>[] = [];
  const calls: Record<string, unknown>[] = [];
  let reasoning = '';
  for (const part of message.content) {
    if (part.type === 'tool-call') calls.push(writeCall(part));
    else if (part.type === 'reasoning') reasoning += part.text;
    else if (part.type === 'refusal' && message.role === 'assistant') wire['refusal'] = part.text;
    else {
      const written = writePart(part, warnings);
      if (written !== undefined) parts.push(written);
    }
  }
  const onlyText = parts.length === 1 && parts[0]?.['type'] === 'text' && Object.keys(parts[0]).length === 2;
  wire['content'] = onlyText ? parts[0]?.['text'] : parts.length > 0 ? parts : calls.length > 0 ? null : '';
  if (reasoning !== '') wire['reasoning_content'] = reasoning;
  const [first] = calls;
  if (first !== undefined && calls.length === 1 && first['id'] === '')
    wire['function_call'] = first['function'];
  else if (calls.length > 0) wire['tool_calls'] = calls;
  set(wire, 'name', message.name);
  if (message.role === 'tool') {
    if (message.callId === '') wire['role'] = 'function';
    else wire['tool_call_id'] = message.callId;
  }
  return { ...message.vendorOptions?.[CHAT_WIRE], ...wire };
}

function writeCall(part: Extract<ContentPart, { type: 'tool-call' }>): Record<string, unknown> {
  return part.isFreeform === true
    ? { id: part.callId, type: 'custom', custom: { name: part.name, input: part.json } }
    : { id: part.callId, type: 'function', function: { name: part.name, arguments: part.json } };
}

function writePart(part: ContentPart, warnings: Warning[]): Record<string, unknown> | undefined {
  switch (part.type) {
    case 'text':
      return { ...part.vendorOptions?.[CHAT_WIRE], type: 'text', text: part.text };
    case 'refusal':
      return { ...part.vendorOptions?.[CHAT_WIRE], type: 'refusal', refusal: part.text };
    case 'image': {
      const detail = part.detail === undefined ? {} : { detail: part.detail };
      const image = { url: writeAddress(part.source, 'image/png'), ...detail };
      return { ...part.vendorOptions?.[CHAT_WIRE], type: 'image_url', image_url: image };
    }
    case 'video':
      return {
        ...part.vendorOptions?.[CHAT_WIRE],
        type: 'video_url',
        video_url: { url: writeAddress(part.source, 'video/mp4') },
      };
    case 'audio':
      if (part.source.kind !== 'base64') {
        warnings.push({ setting: 'audio', reason: 'this wire takes sound as bytes only' });
        return undefined;
      }
      return {
        ...part.vendorOptions?.[CHAT_WIRE],
        type: 'input_audio',
        input_audio: {
          data: part.source.base64,
          format: part.source.mediaType?.replace(/^audio\//, '') ?? 'wav',
        },
      };
    case 'file':
      return { ...part.vendorOptions?.[CHAT_WIRE], type: 'file', file: writeFile(part) };
    case 'vendor':
      if (part.wire === CHAT_WIRE) return part.value as Record<string, unknown>;
      warnings.push({ setting: 'content', reason: `a part only the ${part.wire} wire knows was left out` });
      return undefined;
    case 'reasoning':
    case 'tool-call':
      return undefined;
  }
}

function writeFile(
  part: Extract<ContentPart, { type: 'image' | 'audio' | 'video' | 'file' }>,
): Record<string, unknown> {
  const name = part.fileName === undefined ? {} : { filename: part.fileName };
  return part.source.kind === 'vendor-file'
    ? { ...name, file_id: part.source.fileId }
    : { ...name, file_data: writeAddress(part.source, 'application/pdf') };
}

function writeAddress(source: MediaSource, defaultType: string): string {
  if (source.kind === 'url') return source.url;
  if (source.kind === 'vendor-file') return source.fileId;
  return `data:${source.mediaType ?? defaultType};base64,${source.base64}`;
}

function writeTool(tool: Tool, warnings: Warning[]): unknown[] {
  if (tool.type === 'web-search') {
    warnings.push({ setting: 'tools', reason: 'a web search of the vendor was left out' });
    return [];
  }
  if (tool.type === 'vendor') {
    if (tool.wire === CHAT_WIRE) return [tool.value];
    warnings.push({ setting: 'tools', reason: `a tool only the ${tool.wire} wire knows was left out` });
    return [];
  }
  const wire: Record<string, unknown> = { ...tool.vendorOptions?.[CHAT_WIRE], name: tool.name };
  set(wire, 'description', tool.description);
  set(wire, 'parameters', tool.parameters);
  set(wire, 'strict', tool.isStrict);
  return [{ type: 'function', function: wire }];
}

function writeToolChoice(choice: ToolChoice, warnings: Warning[]): unknown {
  if (choice.type === 'named') return { type: 'function', function: { name: choice.name } };
  if (choice.type !== 'vendor') return choice.type;
  if (choice.wire === CHAT_WIRE) return choice.value;
  warnings.push({
    setting: 'tool_choice',
    reason: `a choice only the ${choice.wire} wire knows was left out`,
  });
  return undefined;
}

function writeFormat(format: ResponseFormat): unknown {
  if (format.type !== 'json-schema') return { type: format.type === 'json' ? 'json_object' : 'text' };
  const schema: Record<string, unknown> = { name: format.name, schema: format.schema };
  set(schema, 'strict', format.isStrict);
  set(schema, 'description', format.description);
  return { type: 'json_schema', json_schema: schema };
}

function set(target: Record<string, unknown>, name: string, value: unknown): void {
  if (value !== undefined) target[name] = value;
}
