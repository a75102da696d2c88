import { ok, type Result } from '../../../common/result.js';
import type { CallShape } from '../../model/call.js';
import type { ChatRequest, ResponseFormat } from '../../model/chat.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Tool, ToolChoice } from '../../model/tool.js';
import { keepUnknown } from '../../model/vendor-options.js';
import { forbidsParallel, readChoiceForm } from '../shared/requests/choice-form.js';
import { readForeignParts } from '../foreign-parts.js';
import { FREEFORM_PARAMETERS } from '../shared/fields/freeform-tools.js';
import {
  documentOf,
  given,
  readStops,
  textOf,
  type Document,
  isDocument,
} from '../shared/fields/json-fields.js';
import { unfitBody } from '../shared/fields/schema-fault.js';
import { readCacheMark } from '../shared/fields/cache-marks.js';
import { CHAT_FORMAT } from './id.js';
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
  const apiFormat = parsed.data;
  const tools = readTools(apiFormat);
  const toolChoice = readToolChoice(apiFormat);
  const responseFormat = readFormat(apiFormat);
  return ok({
    model: shape.model,
    messages: readForeignParts(apiFormat.messages.map(readMessage), apiFormat, ['messages']),
    choices: answers,
    stream: shape.stream,
    wantsStreamUsage: shape.wantsStreamUsage,
    ...(tools.length === 0 ? {} : { tools }),
    ...given('toolChoice', toolChoice),
    ...given('parallelToolCalls', apiFormat.parallel_tool_calls ?? forbidsParallel(apiFormat.tool_choice)),
    ...given('maxOutputTokens', shape.outputCap),
    ...given('temperature', apiFormat.temperature),
    ...given('topP', apiFormat.top_p),
    ...given('frequencyPenalty', apiFormat.frequency_penalty),
    ...given('presencePenalty', apiFormat.presence_penalty),
    ...given('seed', apiFormat.seed),
    ...given('stop', readStops(apiFormat.stop)),
    ...given('responseFormat', responseFormat),
    ...given('topK', apiFormat.top_k),
    ...given('reasoning', readReasoningRequest(apiFormat)),
    ...given('user', apiFormat.user),
    ...given('vendorOptions', readVendorOptions(apiFormat, responseFormat)),
  });
}

type WireTool = NonNullable<WireChatRequest['tools']>[number];
type WireFunction = NonNullable<WireChatRequest['functions']>[number];

function readTools(apiFormat: WireChatRequest): readonly Tool[] {
  const search = apiFormat.web_search_options;
  return [
    ...(apiFormat.tools ?? []).map(readTool),
    ...(apiFormat.functions ?? []).map((tool) => readFunction(tool, {})),
    ...(search === null || search === undefined ? [] : [readWebSearch(search)]),
  ];
}

function readTool(apiFormat: WireTool): Tool {
  if (apiFormat.type === 'custom' && apiFormat.custom != null) {
    const { name, description, ...rest } = apiFormat.custom;
    return {
      type: 'function',
      name,
      isFreeform: true,
      parameters: FREEFORM_PARAMETERS,
      ...given('description', description),
      ...given('vendorOptions', keepUnknown(CHAT_FORMAT, rest, NO_MEMBERS)),
    };
  }
  if (apiFormat.type !== 'function' || apiFormat.function == null)
    return { type: 'vendor', apiFormat: CHAT_FORMAT, value: apiFormat };
  return readFunction(apiFormat.function, readCacheMark(apiFormat));
}

const NO_MEMBERS: ReadonlySet<string> = new Set();
const KNOWN_FUNCTION_MEMBERS: ReadonlySet<string> = new Set([
  'name',
  'description',
  'parameters',
  'strict',
  'cache_control',
]);

function readFunction(apiFormat: WireFunction, extra: object): Tool {
  return {
    type: 'function',
    name: apiFormat.name,
    ...given('description', apiFormat.description),
    ...given('parameters', apiFormat.parameters),
    ...given('isStrict', apiFormat.strict),
    ...readCacheMark(apiFormat),
    ...extra,
    ...given('vendorOptions', keepUnknown(CHAT_FORMAT, apiFormat, KNOWN_FUNCTION_MEMBERS)),
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
    vendorOptions: { [CHAT_FORMAT]: options },
  };
}

function readToolChoice(apiFormat: WireChatRequest): ToolChoice | undefined {
  const choice = apiFormat.tool_choice ?? apiFormat.function_call;
  if (choice === null || choice === undefined) return undefined;
  return readChoiceForm(choice) ?? { type: 'vendor', apiFormat: CHAT_FORMAT, value: choice };
}

function readFormat(apiFormat: WireChatRequest): ResponseFormat | undefined {
  switch (apiFormat.response_format?.type) {
    case 'text':
      return { type: 'text' };
    case 'json_object':
      return { type: 'json' };
    case 'json_schema': {
      const schema = documentOf(apiFormat.response_format['json_schema']);
      if (textOf(schema['name']) === undefined && !isDocument(schema['schema'])) return undefined;
      return {
        type: 'json-schema',
        name: textOf(schema['name']) ?? 'answer',
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
  apiFormat: WireChatRequest,
  format: ResponseFormat | undefined,
): ChatRequest['vendorOptions'] {
  const kept = keepUnknown(CHAT_FORMAT, apiFormat, KNOWN_REQUEST_MEMBERS)?.[CHAT_FORMAT];
  const hasSwitch = REASONING_SWITCHES.some((name) => kept?.[name] !== undefined);
  const own = {
    ...kept,
    ...(apiFormat.response_format == null || format !== undefined
      ? {}
      : { [FOREIGN_FORMAT]: apiFormat.response_format }),
    ...(hasSwitch ? given('reasoning_effort', apiFormat.reasoning_effort) : {}),
  };
  return Object.keys(own).length === 0 ? undefined : { [CHAT_FORMAT]: own };
}
export const FOREIGN_FORMAT = 'response_format (as sent)';
