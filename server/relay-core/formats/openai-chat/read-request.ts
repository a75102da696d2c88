import { ok, type Result } from '../../../common/result.js';
import type { CallShape } from '../../model/call.js';
import type { ChatRequest, ResponseFormat } from '../../model/chat.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Tool, ToolChoice } from '../../model/tool.js';
import { keepUnknown } from '../../model/vendor-options.js';
import { forbidsParallel, readChoiceForm } from '../shared/requests/choice-form.js';
import { readForeignParts } from '../foreign-parts.js';
import { FREEFORM_PARAMETERS } from '../shared/fields/freeform-tools.js';
import { documentOf, given, readStops, textOf, type Document } from '../shared/fields/json-fields.js';
import { unfitBody } from '../shared/fields/schema-fault.js';
import { readCacheMark } from './cache-marks.js';
import { CHAT_WIRE } from './id.js';
import { readMessage } from './read-message.js';
import { REASONING_SWITCHES, readReasoningRequest } from './reasoning-switches.js';
import { chatRequestSchema, KNOWN_REQUEST_MEMBERS, type WireChatRequest } from './schema.js';

/** Body → neutral request. @param answers  given back, of those that are made. Fails: invalid-request, with the path of the first field at fault. */
export function readChatRequest(
  body: unknown,
  shape: CallShape,
  answers: number,
): Result<ChatRequest, RelayError> {
  const parsed = chatRequestSchema.safeParse(body);
  if (!parsed.success) return unfitBody(parsed.error);
  const wire = parsed.data;
  const tools = readTools(wire);
  const toolChoice = readToolChoice(wire);
  const responseFormat = readFormat(wire);
  return ok({
    model: shape.model,
    messages: readForeignParts(wire.messages.map(readMessage), wire, ['messages']),
    choices: answers,
    stream: shape.stream,
    wantsStreamUsage: shape.wantsStreamUsage,
    ...(tools.length === 0 ? {} : { tools }),
    ...given('toolChoice', toolChoice),
    ...given('parallelToolCalls', wire.parallel_tool_calls ?? forbidsParallel(wire.tool_choice)),
    ...given('maxOutputTokens', shape.outputCap),
    ...given('temperature', wire.temperature),
    ...given('topP', wire.top_p),
    ...given('frequencyPenalty', wire.frequency_penalty),
    ...given('presencePenalty', wire.presence_penalty),
    ...given('seed', wire.seed),
    ...given('stop', readStops(wire.stop)),
    ...given('responseFormat', responseFormat),
    ...given('topK', wire.top_k),
    ...given('reasoning', readReasoningRequest(wire)),
    ...given('user', wire.user),
    ...given('vendorOptions', readVendorOptions(wire, responseFormat)),
  });
}

type WireTool = NonNullable<WireChatRequest['tools']>[number];
type WireFunction = NonNullable<WireChatRequest['functions']>[number];

function readTools(wire: WireChatRequest): readonly Tool[] {
  const search = wire.web_search_options;
  return [
    ...(wire.tools ?? []).map(readTool),
    ...(wire.functions ?? []).map((tool) => readFunction(tool, {})),
    ...(search === null || search === undefined ? [] : [readWebSearch(search)]),
  ];
}

function readTool(wire: WireTool): Tool {
  if (wire.type === 'custom' && wire.custom != null) {
    const { name, description, ...rest } = wire.custom;
    return {
      type: 'function',
      name,
      isFreeform: true,
      parameters: FREEFORM_PARAMETERS,
      ...given('description', description),
      ...given('vendorOptions', keepUnknown(CHAT_WIRE, rest, NO_MEMBERS)),
    };
  }
  if (wire.type !== 'function' || wire.function == null)
    return { type: 'vendor', wire: CHAT_WIRE, value: wire };
  return readFunction(wire.function, readCacheMark(wire));
}

const NO_MEMBERS: ReadonlySet<string> = new Set();
const KNOWN_FUNCTION_MEMBERS: ReadonlySet<string> = new Set([
  'name',
  'description',
  'parameters',
  'strict',
  'cache_control',
]);

function readFunction(wire: WireFunction, extra: object): Tool {
  return {
    type: 'function',
    name: wire.name,
    ...given('description', wire.description),
    ...given('parameters', wire.parameters),
    ...given('isStrict', wire.strict),
    ...readCacheMark(wire),
    ...extra,
    ...given('vendorOptions', keepUnknown(CHAT_WIRE, wire, KNOWN_FUNCTION_MEMBERS)),
  };
}

/** The search of the search models: an option here, a tool everywhere else. */
function readWebSearch(options: Document): Tool {
  const place = documentOf(options['user_location']);
  const where = documentOf(place['approximate'] ?? place);
  const location = {
    ...given('country', textOf(where['country'])),
    ...given('region', textOf(where['region'])),
    ...given('city', textOf(where['city'])),
    ...given('timezone', textOf(where['timezone'])),
  };
  return {
    type: 'web-search',
    ...given('contextSize', textOf(options['search_context_size'])),
    ...(Object.keys(location).length === 0 ? {} : { location }),
    vendorOptions: { [CHAT_WIRE]: options },
  };
}

function readToolChoice(wire: WireChatRequest): ToolChoice | undefined {
  const choice = wire.tool_choice ?? wire.function_call;
  if (choice === null || choice === undefined) return undefined;
  return readChoiceForm(choice) ?? { type: 'vendor', wire: CHAT_WIRE, value: choice };
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

/**
 * What only this wire knows. A format of a vendor's own stays under a name of its own; the vendors' switches of reasoning
 * stay beside what was understood of them, and `reasoning_effort` with them.
 */
function readVendorOptions(
  wire: WireChatRequest,
  format: ResponseFormat | undefined,
): ChatRequest['vendorOptions'] {
  const kept = keepUnknown(CHAT_WIRE, wire, KNOWN_REQUEST_MEMBERS)?.[CHAT_WIRE];
  const hasSwitch = REASONING_SWITCHES.some((name) => kept?.[name] !== undefined);
  const own = {
    ...kept,
    ...(wire.response_format == null || format !== undefined
      ? {}
      : { [FOREIGN_FORMAT]: wire.response_format }),
    ...(hasSwitch ? given('reasoning_effort', wire.reasoning_effort) : {}),
  };
  return Object.keys(own).length === 0 ? undefined : { [CHAT_WIRE]: own };
}
export const FOREIGN_FORMAT = 'response_format (as sent)';
