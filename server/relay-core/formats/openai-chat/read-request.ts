import { ok, type Result } from '../../../common/result.js';
import type { CallShape } from '../../model/call.js';
import type { ChatRequest, ResponseFormat } from '../../model/chat.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Tool, ToolChoice } from '../../model/tool.js';
import { keepUnknown } from '../../model/vendor-options.js';
import { forbidsParallel, readAnyToolChoice } from '../shared/requests/tool-choice.js';
import { readOtherFormatParts } from '../other-format-parts.js';
import { FREEFORM_PARAMETERS } from '../shared/fields/freeform-tools.js';
import {
  documentOf,
  given,
  readStops,
  textOf,
  type Document,
  isDocument,
} from '../shared/fields/json-fields.js';
import { invalidBody } from '../shared/fields/schema-fault.js';
import { readCacheMark } from '../shared/fields/cache-marks.js';
import { CHAT_FORMAT } from './id.js';
import { readMessage } from './read-message.js';
import { REASONING_SWITCHES, readReasoningRequest } from './reasoning-switches.js';
import { chatRequestSchema, KNOWN_REQUEST_FIELDS, type OpenaiChatRequest } from './schema.js';

/** Body → neutral request. @param answers  given back, of those that are made. Fails: invalid-request, with the path of the first field at fault. */
export function readChatRequest(
  body: unknown,
  shape: CallShape,
  answers: number,
): Result<ChatRequest, RelayError> {
  const parsed = chatRequestSchema.safeParse(body);
  if (!parsed.success) return invalidBody(parsed.error);
  const fields = parsed.data;
  const tools = readTools(fields);
  const toolChoice = readToolChoice(fields);
  const responseFormat = readFormat(fields);
  return ok({
    messages: readOtherFormatParts(fields.messages.map(readMessage), fields, ['messages']),
    choices: answers,
    stream: shape.stream,
    wantsStreamUsage: shape.wantsStreamUsage,
    ...(tools.length === 0 ? {} : { tools }),
    ...given('toolChoice', toolChoice),
    ...given('parallelToolCalls', fields.parallel_tool_calls ?? forbidsParallel(fields.tool_choice)),
    ...given('maxOutputTokens', shape.outputCap),
    ...given('temperature', fields.temperature),
    ...given('topP', fields.top_p),
    ...given('frequencyPenalty', fields.frequency_penalty),
    ...given('presencePenalty', fields.presence_penalty),
    ...given('seed', fields.seed),
    ...given('stop', readStops(fields.stop)),
    ...given('responseFormat', responseFormat),
    ...given('topK', fields.top_k),
    ...given('reasoning', readReasoningRequest(fields)),
    ...given('user', fields.user),
    ...given('vendorOptions', readVendorOptions(fields, responseFormat)),
  });
}

type OpenaiTool = NonNullable<OpenaiChatRequest['tools']>[number];
type OpenaiFunction = NonNullable<OpenaiChatRequest['functions']>[number];

function readTools(body: OpenaiChatRequest): readonly Tool[] {
  const search = body.web_search_options;
  return [
    ...(body.tools ?? []).map(readTool),
    ...(body.functions ?? []).map((tool) => readFunction(tool, {})),
    ...(search === null || search === undefined ? [] : [readWebSearch(search)]),
  ];
}

function readTool(tool: OpenaiTool): Tool {
  if (tool.type === 'custom' && tool.custom != null) {
    const { name, description, ...rest } = tool.custom;
    return {
      type: 'function',
      name,
      isFreeform: true,
      parameters: FREEFORM_PARAMETERS,
      ...given('description', description),
      ...given('vendorOptions', keepUnknown(CHAT_FORMAT, rest, NO_FIELDS)),
    };
  }
  if (tool.type !== 'function' || tool.function == null)
    return { type: 'vendor', apiFormat: CHAT_FORMAT, value: tool };
  return readFunction(tool.function, readCacheMark(tool));
}

const NO_FIELDS: ReadonlySet<string> = new Set();
const KNOWN_FUNCTION_FIELDS: ReadonlySet<string> = new Set([
  'name',
  'description',
  'parameters',
  'strict',
  'cache_control',
]);

function readFunction(declared: OpenaiFunction, extra: object): Tool {
  return {
    type: 'function',
    name: declared.name,
    ...given('description', declared.description),
    ...given('parameters', declared.parameters),
    ...given('isStrict', declared.strict),
    ...readCacheMark(declared),
    ...extra,
    ...given('vendorOptions', keepUnknown(CHAT_FORMAT, declared, KNOWN_FUNCTION_FIELDS)),
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

function readToolChoice(body: OpenaiChatRequest): ToolChoice | undefined {
  const choice = body.tool_choice ?? body.function_call;
  if (choice === null || choice === undefined) return undefined;
  return readAnyToolChoice(choice) ?? { type: 'vendor', apiFormat: CHAT_FORMAT, value: choice };
}

function readFormat(body: OpenaiChatRequest): ResponseFormat | undefined {
  switch (body.response_format?.type) {
    case 'text':
      return { type: 'text' };
    case 'json_object':
      return { type: 'json' };
    case 'json_schema': {
      const schema = documentOf(body.response_format['json_schema']);
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
 * Options of this format alone. A format of a vendor's own stays under a name of its own; the vendors' switches of reasoning
 * stay beside what was understood of them, and `reasoning_effort` with them.
 */
function readVendorOptions(
  body: OpenaiChatRequest,
  format: ResponseFormat | undefined,
): ChatRequest['vendorOptions'] {
  const kept = keepUnknown(CHAT_FORMAT, body, KNOWN_REQUEST_FIELDS)?.[CHAT_FORMAT];
  const hasSwitch = REASONING_SWITCHES.some((name) => kept?.[name] !== undefined);
  const own = {
    ...kept,
    ...(body.response_format == null || format !== undefined
      ? {}
      : { [FOREIGN_FORMAT]: body.response_format }),
    ...(hasSwitch ? given('reasoning_effort', body.reasoning_effort) : {}),
  };
  return Object.keys(own).length === 0 ? undefined : { [CHAT_FORMAT]: own };
}
export const FOREIGN_FORMAT = 'response_format (as sent)';
