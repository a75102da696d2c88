import { type ChatSettings, parametersOf, takesSampling } from './chat-settings';
import type { ChatMessage, FilePart, MessagePart } from './messages';
import { readSchema, readTools } from './read-json';

type Content = string | readonly Readonly<Record<string, unknown>>[];

export interface RequestMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: Content | null;
  readonly [member: string]: unknown;
}

/** Body of a chat call: the settings, the parameters of this model, and every message that came whole. */
export function chatRequest(
  messages: readonly ChatMessage[],
  settings: ChatSettings,
  model: string,
): Readonly<Record<string, unknown>> & { readonly messages: readonly RequestMessage[] } {
  const { group, systemPrompt } = settings;
  return {
    model,
    group,
    stream: true,
    ...parameterMembers(settings, model),
    ...toolMembers(settings.tools),
    ...schemaMembers(settings.schema),
    messages: [
      ...(systemPrompt.trim() === '' ? [] : [{ role: 'system' as const, content: systemPrompt }]),
      ...messages.flatMap(requestMessages),
    ],
  };
}

function parameterMembers(settings: ChatSettings, model: string) {
  const { temperature, maxTokens, topP, frequencyPenalty, presencePenalty, seed, stop, reasoningEffort } =
    parametersOf(settings, model);
  const stops = (stop ?? '').split('\n').filter((line) => line !== '');
  return {
    ...(takesSampling(model) ? { temperature } : {}),
    max_tokens: maxTokens,
    ...given('top_p', topP),
    ...given('frequency_penalty', frequencyPenalty),
    ...given('presence_penalty', presencePenalty),
    ...given('seed', seed),
    ...(stops.length === 0 ? {} : { stop: stops }),
    ...given('reasoning_effort', reasoningEffort),
  };
}

const given = (name: string, value: unknown) => (value === undefined ? {} : { [name]: value });

function toolMembers(text: string) {
  const tools = readTools(text).value ?? [];
  return tools.length === 0 ? {} : { tools: tools.map((tool) => ({ type: 'function', function: tool })) };
}

function schemaMembers(text: string) {
  const schema = readSchema(text).value;
  return schema === undefined
    ? {}
    : { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } } };
}

/** A message as the API has it. Answers that failed are left out: the model never gave them. */
function requestMessages(message: ChatMessage): readonly RequestMessage[] {
  if (message.role === 'user') return [{ role: 'user', content: userContent(message.parts) }];
  if (message.metadata?.failure !== undefined) return [];
  return stepsOf(message.parts).flatMap(answerMessages);
}

function userContent(parts: readonly MessagePart[]): Content {
  if (parts.every(({ type }) => type === 'text'))
    return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
  return parts.flatMap((part): Readonly<Record<string, unknown>>[] => {
    if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }];
    return part.type === 'file' ? [filePart(part)] : [];
  });
}

const AUDIO_FORMATS: Readonly<Record<string, string>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
};

function filePart({ url, mediaType, filename }: FilePart) {
  if (mediaType.startsWith('image/')) return { type: 'image_url', image_url: { url } };
  const format = AUDIO_FORMATS[mediaType];
  if (format !== undefined)
    return { type: 'input_audio', input_audio: { data: url.slice(url.indexOf(',') + 1), format } };
  return { type: 'file', file: { filename: filename ?? 'file', file_data: url } };
}

/** Parts of each call; an answer with tools has one step for each. */
function stepsOf(parts: readonly MessagePart[]): readonly MessagePart[][] {
  const steps: MessagePart[][] = [[]];
  for (const part of parts)
    if (part.type === 'step') steps.push([]);
    else steps.at(-1)?.push(part);
  return steps;
}

function answerMessages(parts: readonly MessagePart[]): readonly RequestMessage[] {
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  const tools = parts.flatMap((part) => (part.type === 'tool' && part.output !== undefined ? [part] : []));
  if (tools.length === 0) return text === '' ? [] : [{ role: 'assistant', content: text }];
  return [
    {
      role: 'assistant',
      content: text === '' ? null : text,
      tool_calls: tools.map(({ toolCallId, toolName, input }) => ({
        id: toolCallId,
        type: 'function',
        function: { name: toolName, arguments: asText(input) },
      })),
    },
    ...tools.map(({ toolCallId, output }) => ({
      role: 'tool' as const,
      tool_call_id: toolCallId,
      content: asText(output),
    })),
  ];
}

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
