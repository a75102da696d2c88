import { z } from 'zod';
import { ok, type Result } from '../../../common/result.js';
import type { CallShape } from '../../model/call.js';
import type { ChatRequest, Message, ReasoningRequest, ResponseFormat } from '../../model/chat.js';
import type { RelayError } from '../../model/relay-error.js';
import { keepUnknown, type VendorOptions } from '../../model/vendor-options.js';
import {
  type Document,
  documentOf,
  given,
  listOf,
  numberOf,
  readStops,
  textOf,
} from '../shared/fields/json-fields.js';
import { invalidRequest, MAX_OUTPUT_CAP } from '../shared/fields/request-fields.js';
import { forbidsParallel, readAnyToolChoice } from '../shared/requests/tool-choice.js';
import { readOtherFormatParts } from '../other-format-parts.js';
import { schemaFault } from '../shared/fields/schema-fault.js';
import { MESSAGES_FORMAT } from './id.js';
import { BLOCK_AS_SENT, optionsOf, readBlocks } from './read-blocks.js';
import { clientToolForm } from '../shared/fields/client-tools.js';
import { readToolResult } from './read-result.js';
import type { Tool, ToolChoice } from '../../model/tool.js';
import { readCacheMark } from '../shared/fields/cache-marks.js';

/** A content block, strict about its kind only: kinds we do not know survive on this format. */
const block = z.looseObject({ type: z.string().optional() });
const content = z.union([z.string(), z.array(block)]);

const messageSchema = z.looseObject({
  role: z.enum(['user', 'assistant', 'system']),
  content,
});

const toolSchema = z.looseObject({
  type: z.string().nullish(),
  name: z.string().nullish(),
  description: z.string().nullish(),
  input_schema: z.unknown().optional(),
  strict: z.boolean().nullish(),
});

const thinkingSchema = z.looseObject({
  type: z.string(),
  budget_tokens: z.int().min(0).max(MAX_OUTPUT_CAP).nullish(),
  display: z.string().nullish(),
});

const formatSchema = z.looseObject({ type: z.string(), schema: z.unknown().optional() });

/** Body of a Messages request: https://docs.claude.com/en/api/messages (read 2026-11-21). Other members are kept. */
export const messagesRequestSchema = z.looseObject({
  messages: z.array(messageSchema).min(1),
  system: content.nullish(),
  tools: z.array(toolSchema).nullish(),
  tool_choice: z
    .union([
      z.string(),
      z.looseObject({
        type: z.string(),
        name: z.string().nullish(),
        disable_parallel_tool_use: z.boolean().nullish(),
      }),
    ])
    .nullish(),
  max_tokens: z.int().min(0).max(MAX_OUTPUT_CAP).nullish(),
  max_tokens_to_sample: z.int().min(0).max(MAX_OUTPUT_CAP).nullish(),
  temperature: z.number().min(0).max(5).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  top_k: z.int().min(0).nullish(),
  stop_sequences: z.array(z.string()).max(8192).nullish(),
  thinking: thinkingSchema.nullish(),
  output_config: z.looseObject({ effort: z.string().nullish(), format: formatSchema.nullish() }).nullish(),
  output_format: formatSchema.nullish(),
  metadata: z.looseObject({ user_id: z.string().nullish() }).nullish(),
});

/** Members the neutral request owns; all others are vendor options. */
export const KNOWN_REQUEST_FIELDS: ReadonlySet<string> = new Set([
  ...Object.keys(messagesRequestSchema.shape),
  'model',
  'stream',
]);

const FUNCTION_FIELDS = new Set(['type', 'name', 'description', 'input_schema', 'strict', 'cache_control']);
const SEARCH_FIELDS = new Set([
  'max_uses',
  'allowed_domains',
  'blocked_domains',
  'user_location',
  'cache_control',
]);
const PLACES = ['country', 'region', 'city', 'timezone'] as const;

const domainsOf = (value: unknown): readonly string[] =>
  listOf(value).filter((item): item is string => typeof item === 'string');

export const readToolChoice = (choice: NonNullable<AnthropicRequest['tool_choice']>): ToolChoice =>
  readAnyToolChoice(choice) ?? { type: 'vendor', apiFormat: MESSAGES_FORMAT, value: choice };

/** `thinking` and effort as the caller wrote them. */
export interface ThinkingAsSent {
  readonly thinking: unknown;
  readonly effort: unknown;
}
/** Keyed by the neutral form made of them: while a request holds that very object, the caller's request is unchanged. */
const THINKING_AS_SENT = new WeakMap<ReasoningRequest, ThinkingAsSent>();

export const thinkingAsSent = (reasoning: ReasoningRequest | undefined): ThinkingAsSent | undefined =>
  reasoning === undefined ? undefined : THINKING_AS_SENT.get(reasoning);

/** Returns true when the caller turned thinking on; efforts alone do not. */
export function asksForThinking({ reasoning }: Pick<ChatRequest, 'reasoning'>): boolean {
  const type = documentOf(thinkingAsSent(reasoning)?.thinking)['type'];
  return type !== undefined && type !== 'disabled';
}

/** Vendor option of a system message that stood between the others. */
export const IN_PLACE = 'in place';
/** Vendor options for members of objects the neutral request owns a part of. */
export const METADATA = 'metadata';
export const OUTPUT_CONFIG = 'output_config';

/** Name of a schema that came without one. */
const SCHEMA_NAME = 'response';

/** Body → neutral request. Fails: invalid-request, with the path of the first field at fault. */
export function readMessagesRequest(body: unknown, shape: CallShape): Result<ChatRequest, RelayError> {
  const parsed = messagesRequestSchema.safeParse(body);
  if (!parsed.success) {
    const { path, message } = schemaFault(parsed.error);
    return invalidRequest(`${path === '' ? 'body' : path}: ${message}.`, path);
  }
  const fields = parsed.data;
  const spoken = fields.messages.flatMap(readMessage);
  if (fields.system != null) spoken.unshift({ role: 'system', content: readBlocks(fields.system) });
  const messages = readOtherFormatParts(spoken, fields, ['system', 'messages']);
  const reasoning = readReasoning(fields);
  if (reasoning !== undefined) {
    THINKING_AS_SENT.set(reasoning, {
      thinking: fields.thinking,
      effort: fields.output_config?.effort,
    });
  }
  const choice = typeof fields.tool_choice === 'string' ? { type: fields.tool_choice } : fields.tool_choice;
  return ok({
    messages,
    choices: 1,
    stream: shape.stream,
    wantsStreamUsage: shape.wantsStreamUsage,
    ...given('tools', fields.tools?.length === 0 ? undefined : fields.tools?.map(readTool)),
    ...given('toolChoice', choice == null ? undefined : readToolChoice(choice)),
    ...given('parallelToolCalls', forbidsParallel(choice)),
    ...given('maxOutputTokens', shape.outputCap),
    ...given('temperature', fields.temperature),
    ...given('topP', fields.top_p),
    ...given('topK', fields.top_k),
    ...given('stop', readStops(fields.stop_sequences)),
    ...given('responseFormat', readFormat(fields)),
    ...given('reasoning', reasoning),
    ...given('user', fields.metadata?.user_id),
    ...given('vendorOptions', readOptions(fields)),
  });
}

/** A user's message may hold answers of tools among its blocks: each is a message of its own, in order. */
function readMessage(message: AnthropicMessage): Message[] {
  if (message.role === 'system') {
    const vendorOptions = { [MESSAGES_FORMAT]: { [IN_PLACE]: true } };
    return [{ role: 'system', content: readBlocks(message.content), vendorOptions }];
  }
  const { role, content } = message;
  if (typeof content === 'string' || role === 'assistant') return [{ role, content: readBlocks(content) }];
  const messages: Message[] = [];
  let run: Document[] = [];
  const flush = (): void => {
    if (run.length > 0) messages.push({ role, content: readBlocks(run) });
    run = [];
  };
  for (const block of content) {
    if (block.type !== 'tool_result') {
      run.push(block);
      continue;
    }
    flush();
    messages.push(readToolResult(block));
  }
  flush();
  return messages.length === 0 ? [{ role, content: [] }] : messages;
}

function readReasoning(body: AnthropicRequest): ReasoningRequest | undefined {
  const { thinking } = body;
  const effort = textOf(body.output_config?.effort);
  if (thinking == null && effort === undefined) return undefined;
  const summary = summaryOf(thinking?.display);
  return {
    ...given('effort', effort),
    ...(thinking?.type === 'enabled' ? given('budgetTokens', thinking.budget_tokens) : {}),
    ...(thinking?.type === 'disabled' ? { budgetTokens: 0 } : {}),
    ...(thinking != null && thinking.type !== 'enabled' && thinking.type !== 'disabled'
      ? { isDynamic: true }
      : {}),
    ...given('summary', summary),
  };
}

function summaryOf(display: string | null | undefined): ReasoningRequest['summary'] {
  if (display === 'omitted') return 'none';
  return display === 'summarized' ? 'auto' : undefined;
}

function readFormat(body: AnthropicRequest): ResponseFormat | undefined {
  const format = body.output_config?.format ?? body.output_format;
  if (format?.type !== 'json_schema' || format.schema === undefined) return undefined;
  return {
    type: 'json-schema',
    name: textOf(format['name']) ?? SCHEMA_NAME,
    schema: format.schema,
    isStrict: true,
  };
}

function readOptions(body: AnthropicRequest): VendorOptions | undefined {
  const options: Record<string, unknown> = {
    ...keepUnknown(MESSAGES_FORMAT, body, KNOWN_REQUEST_FIELDS)?.[MESSAGES_FORMAT],
  };
  keepRest(options, METADATA, body.metadata, ['user_id']);
  keepRest(options, OUTPUT_CONFIG, body.output_config, ['effort', 'format']);
  return Object.keys(options).length === 0 ? undefined : { [MESSAGES_FORMAT]: options };
}

function keepRest(
  options: Record<string, unknown>,
  name: string,
  value: Document | null | undefined,
  known: readonly string[],
): void {
  if (value == null) return;
  const rest = Object.entries(value).filter(([member]) => !known.includes(member));
  if (rest.length > 0) options[name] = Object.fromEntries(rest);
}

/** Tools as the caller declares them. Those the vendor runs itself belong to this format, but for its web search. */
export function readTool(tool: AnthropicTool): Tool {
  const type = tool.type ?? 'custom';
  if (type === 'custom' && typeof tool.name === 'string') {
    return {
      type: 'function',
      name: tool.name,
      ...(tool.description == null ? {} : { description: tool.description }),
      ...(tool.input_schema === undefined ? {} : { parameters: tool.input_schema }),
      ...(tool.strict == null ? {} : { isStrict: tool.strict }),
      ...readCacheMark(tool),
      ...optionsOf(tool, FUNCTION_FIELDS),
    };
  }
  if (type.startsWith('web_search_')) return readWebSearch(tool);
  const form = typeof tool.name === 'string' ? clientToolForm(tool) : undefined;
  if (form === undefined || typeof tool.name !== 'string')
    return { type: 'vendor', apiFormat: MESSAGES_FORMAT, value: tool };
  return {
    type: 'function',
    name: tool.name,
    description: form.description,
    parameters: form.input_schema,
    ...readCacheMark(tool),
    vendorOptions: { [MESSAGES_FORMAT]: { [BLOCK_AS_SENT]: tool } },
  };
}

function readWebSearch(tool: AnthropicTool): Tool {
  const maxUses = numberOf(tool['max_uses']);
  const allowedDomains = domainsOf(tool['allowed_domains']);
  const blockedDomains = domainsOf(tool['blocked_domains']);
  const given = documentOf(tool['user_location']);
  const location: Partial<Record<(typeof PLACES)[number], string>> = {};
  for (const place of PLACES) {
    const name = textOf(given[place]);
    if (name !== undefined) location[place] = name;
  }
  return {
    type: 'web-search',
    ...(maxUses === undefined ? {} : { maxUses }),
    ...(allowedDomains.length === 0 ? {} : { allowedDomains }),
    ...(blockedDomains.length === 0 ? {} : { blockedDomains }),
    ...(Object.keys(location).length === 0 ? {} : { location }),
    ...optionsOf(tool, SEARCH_FIELDS),
  };
}

export type AnthropicMessage = z.infer<typeof messageSchema>;
export type AnthropicTool = z.infer<typeof toolSchema>;
export type AnthropicRequest = z.infer<typeof messagesRequestSchema>;
