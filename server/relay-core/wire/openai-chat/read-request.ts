import { ok, type Result } from '../../../common/result.js';
import type { CallShape } from '../../model/call.js';
import type { ChatRequest, Message, ResponseFormat } from '../../model/chat.js';
import type { ContentPart } from '../../model/content.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Tool, ToolChoice } from '../../model/tool.js';
import { keepUnknown } from '../../model/vendor-options.js';
import { documentOf, textOf } from '../json-fields.js';
import { invalidRequest } from '../request-fields.js';
import { CHAT_WIRE } from './id.js';
import { readPart } from './read-parts.js';
import {
  chatRequestSchema,
  KNOWN_MESSAGE_MEMBERS,
  KNOWN_REQUEST_MEMBERS,
  type WireChatRequest,
  type WireMessage,
} from './schema.js';

/** Body → neutral request. Fails: invalid-request, with the path of the first field at fault. */
export function readChatRequest(body: unknown, shape: CallShape): Result<ChatRequest, RelayError> {
  const parsed = chatRequestSchema.safeParse(body);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const path = issue?.path.join('.') ?? '';
    return invalidRequest(`Invalid '${path}': ${issue?.message ?? 'not valid'}.`, path);
  }
  const wire = parsed.data;
  const tools = [...(wire.tools ?? []).map(readTool), ...(wire.functions ?? []).map(readFunction)];
  const toolChoice = readToolChoice(wire);
  const responseFormat = readFormat(wire);
  return ok({
    model: shape.model,
    messages: wire.messages.map(readMessage),
    choices: shape.choices,
    stream: shape.stream,
    wantsStreamUsage: shape.wantsStreamUsage,
    ...(tools.length === 0 ? {} : { tools }),
    ...given('toolChoice', toolChoice),
    ...given('parallelToolCalls', wire.parallel_tool_calls),
    ...given('maxOutputTokens', shape.outputCap),
    ...given('temperature', wire.temperature),
    ...given('topP', wire.top_p),
    ...given('frequencyPenalty', wire.frequency_penalty),
    ...given('presencePenalty', wire.presence_penalty),
    ...given('seed', wire.seed),
    ...given('stop', typeof wire.stop === 'string' ? [wire.stop] : wire.stop),
    ...given('responseFormat', responseFormat),
    ...given(
      'reasoning',
      typeof wire.reasoning_effort === 'string' ? { effort: wire.reasoning_effort } : undefined,
    ),
    ...given('user', wire.user),
    ...given(
      'vendorOptions',
      keepUnknown(CHAT_WIRE, withoutForeignFormat(wire, responseFormat), KNOWN_REQUEST_MEMBERS),
    ),
  });
}

function readMessage(wire: WireMessage): Message {
  const vendorOptions = keepUnknown(CHAT_WIRE, wire, KNOWN_MESSAGE_MEMBERS);
  const shared = { ...given('name', wire.name), ...given('vendorOptions', vendorOptions) };
  const content: ContentPart[] = [];
  if (textOf(wire.reasoning_content) !== undefined) {
    content.push({ type: 'reasoning', text: wire.reasoning_content ?? '' });
  }
  if (typeof wire.content === 'string') content.push({ type: 'text', text: wire.content });
  else for (const part of wire.content ?? []) content.push(readPart(part));
  if (wire.role === 'tool' || wire.role === 'function') {
    return { role: 'tool', callId: wire.tool_call_id ?? '', content, ...shared };
  }
  if (textOf(wire.refusal) !== undefined) content.push({ type: 'refusal', text: wire.refusal ?? '' });
  for (const call of wire.tool_calls ?? []) {
    if (call.function != null) {
      content.push({
        type: 'tool-call',
        callId: call.id ?? '',
        name: call.function.name,
        json: call.function.arguments ?? '',
      });
    } else if (call.custom != null) {
      const { name, input } = call.custom;
      content.push({ type: 'tool-call', callId: call.id ?? '', name, json: input ?? '', isFreeform: true });
    }
  }
  if (wire.function_call != null) {
    // The oldest form: one call without an id.
    content.push({
      type: 'tool-call',
      callId: '',
      name: wire.function_call.name,
      json: wire.function_call.arguments ?? '',
    });
  }
  return { role: wire.role, content, ...shared };
}

type WireTool = NonNullable<WireChatRequest['tools']>[number];
type WireFunction = NonNullable<WireChatRequest['functions']>[number];

function readTool(wire: WireTool): Tool {
  if (wire.type !== 'function' || wire.function == null)
    return { type: 'vendor', wire: CHAT_WIRE, value: wire };
  return readFunction(wire.function);
}

const KNOWN_FUNCTION_MEMBERS: ReadonlySet<string> = new Set(['name', 'description', 'parameters', 'strict']);

function readFunction(wire: WireFunction): Tool {
  return {
    type: 'function',
    name: wire.name,
    ...given('description', wire.description),
    ...given('parameters', wire.parameters),
    ...given('isStrict', wire.strict),
    ...given('vendorOptions', keepUnknown(CHAT_WIRE, wire, KNOWN_FUNCTION_MEMBERS)),
  };
}

function readToolChoice(wire: WireChatRequest): ToolChoice | undefined {
  const choice = wire.tool_choice ?? wire.function_call;
  if (choice === null || choice === undefined) return undefined;
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { type: choice };
  if (choice === 'any') return { type: 'required' };
  const named =
    textOf(documentOf(documentOf(choice)['function'])['name']) ?? textOf(documentOf(choice)['name']);
  return named === undefined
    ? { type: 'vendor', wire: CHAT_WIRE, value: choice }
    : { type: 'named', name: named };
}

function readFormat(wire: WireChatRequest): ResponseFormat | undefined {
  switch (wire.response_format?.type) {
    case 'text':
      return { type: 'text' };
    case 'json_object':
      return { type: 'json' };
    case 'json_schema': {
      const schema = documentOf(wire.response_format['json_schema']);
      const name = textOf(schema['name']);
      if (name === undefined) return undefined;
      return {
        type: 'json-schema',
        name,
        schema: schema['schema'],
        ...given('isStrict', typeof schema['strict'] === 'boolean' ? schema['strict'] : undefined),
        ...given('description', textOf(schema['description'])),
      };
    }
    default:
      return undefined;
  }
}

/** A format only this wire knows stays with the vendor options, under a name of its own. */
function withoutForeignFormat(
  wire: WireChatRequest,
  format: ResponseFormat | undefined,
): Readonly<Record<string, unknown>> {
  if (wire.response_format == null || format !== undefined) return wire;
  return { ...wire, [FOREIGN_FORMAT]: wire.response_format };
}
export const FOREIGN_FORMAT = 'response_format (as sent)';

/** A member when the value is known; `null` on the wire means "not given". */
function given<Name extends string, Value>(
  name: Name,
  value: Value | null | undefined,
): { [K in Name]?: Value } {
  return value === null || value === undefined ? {} : ({ [name]: value } as { [K in Name]: Value });
}
