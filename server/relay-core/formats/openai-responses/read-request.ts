import { z } from 'zod';
import { ok, type Result } from '../../../common/result.js';
import type { CallShape } from '../../model/call.js';
import type { ChatRequest, Message, ReasoningRequest, ResponseFormat } from '../../model/chat.js';
import type { RelayError } from '../../model/relay-error.js';
import { keepUnknown } from '../../model/vendor-options.js';
import { forbidsParallel } from '../shared/requests/tool-choice.js';
import { readOtherFormatParts } from '../other-format-parts.js';
import { type Document, documentOf, given, textOf } from '../shared/fields/json-fields.js';
import { invalidBody } from '../shared/fields/schema-fault.js';
import { allToolsOf, isToolsItem } from '../shared/openai/additional-tools.js';
import { RESPONSES_FORMAT } from './id.js';
import { readItems } from './read-items.js';
import { readToolChoice, readTools } from './tools.js';
import { MAX_OUTPUT_CAP } from '../shared/fields/request-fields.js';

/** One item of the input; what it must hold depends on its type and is looked at by the reader. */
const item = z.looseObject({ type: z.string().nullish() });

const tool = z.looseObject({ type: z.string() });

/** Body of a Responses request: numbers in range, shapes right; members we do not know are kept. */
export const responsesRequestSchema = z.looseObject({
  input: z.union([z.string(), z.array(item)]).nullish(),
  instructions: z.string().nullish(),
  tools: z.array(tool).nullish(),
  tool_choice: z.union([z.string(), z.looseObject({ type: z.string() })]).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  max_output_tokens: z.int().min(1).max(MAX_OUTPUT_CAP).nullish(),
  temperature: z.number().min(0).max(5).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  reasoning: z.looseObject({ effort: z.string().nullish(), summary: z.string().nullish() }).nullish(),
  text: z.looseObject({ format: z.looseObject({ type: z.string() }).nullish() }).nullish(),
  user: z.string().nullish(),
});

/** Members the neutral request owns; all others are vendor options. */
export const KNOWN_REQUEST_FIELDS: ReadonlySet<string> = new Set([
  ...Object.keys(responsesRequestSchema.shape),
  'model',
  'stream',
]);

/** Marks the system message that stood outside the input, so that the same format puts it back there. */
export const INSTRUCTIONS: Document = Object.freeze({ isInstructions: true });

/** Body → neutral request. Fails: invalid-request, with the path of the first field at fault. */
export function readResponsesRequest(body: unknown, shape: CallShape): Result<ChatRequest, RelayError> {
  const parsed = responsesRequestSchema.safeParse(body);
  if (!parsed.success) return invalidBody(parsed.error);
  const fields = parsed.data;
  const tools = readTools(allToolsOf(fields.tools, fields.input));
  const reasoning = readReasoning(fields);
  return ok({
    messages: [...readInstructions(fields), ...readOtherFormatParts(readInput(fields), fields, ['input'])],
    choices: 1,
    stream: shape.stream,
    wantsStreamUsage: shape.stream,
    ...(tools.length === 0 ? {} : { tools }),
    ...given('toolChoice', readToolChoice(fields.tool_choice)),
    ...given('parallelToolCalls', fields.parallel_tool_calls ?? forbidsParallel(fields.tool_choice)),
    ...given('maxOutputTokens', shape.outputCap),
    ...given('temperature', fields.temperature),
    ...given('topP', fields.top_p),
    ...given('responseFormat', readFormat(fields)),
    ...(Object.keys(reasoning).length === 0 ? {} : { reasoning }),
    ...given('user', fields.user),
    ...given('vendorOptions', readVendorOptions(fields)),
  });
}

function readInstructions(body: OpenaiResponsesRequest): readonly Message[] {
  const text = textOf(body.instructions);
  if (text === undefined) return [];
  return [
    {
      role: 'system',
      content: [{ type: 'text', text }],
      vendorOptions: { [RESPONSES_FORMAT]: INSTRUCTIONS },
    },
  ];
}

function readInput(body: OpenaiResponsesRequest): readonly Message[] {
  if (typeof body.input !== 'string')
    return readItems((body.input ?? []).filter((item) => !isToolsItem(item)));
  return [{ role: 'user', content: [{ type: 'text', text: body.input }] }];
}

function readReasoning(body: OpenaiResponsesRequest): ReasoningRequest {
  const summary = body.reasoning?.summary ?? textOf(documentOf(body.reasoning)['generate_summary']);
  const isKnown = summary === 'auto' || summary === 'concise' || summary === 'detailed';
  return {
    ...given('effort', body.reasoning?.effort),
    ...(isKnown ? { summary } : {}),
  };
}

function readFormat(body: OpenaiResponsesRequest): ResponseFormat | undefined {
  const format = documentOf(body.text?.format);
  switch (format['type']) {
    case 'text':
      return { type: 'text' };
    case 'json_object':
      return { type: 'json' };
    case 'json_schema':
      return {
        type: 'json-schema',
        name: textOf(format['name']) ?? 'answer',
        schema: format['schema'],
        ...given('isStrict', typeof format['strict'] === 'boolean' ? format['strict'] : undefined),
        ...given('description', textOf(format['description'])),
      };
    default:
      return undefined;
  }
}

const KNOWN_REASONING_FIELDS: ReadonlySet<string> = new Set(['effort', 'summary', 'generate_summary']);
const KNOWN_TEXT_FIELDS: ReadonlySet<string> = new Set(['format']);

/** Options of this format alone, the unknown members of `reasoning` and `text` included. */
function readVendorOptions(body: OpenaiResponsesRequest): ChatRequest['vendorOptions'] {
  const own = {
    ...keepUnknown(RESPONSES_FORMAT, body, KNOWN_REQUEST_FIELDS)?.[RESPONSES_FORMAT],
    ...given(
      'reasoning',
      keepUnknown(RESPONSES_FORMAT, documentOf(body.reasoning), KNOWN_REASONING_FIELDS)?.[RESPONSES_FORMAT],
    ),
    ...given(
      'text',
      keepUnknown(RESPONSES_FORMAT, documentOf(body.text), KNOWN_TEXT_FIELDS)?.[RESPONSES_FORMAT],
    ),
  };
  return Object.keys(own).length === 0 ? undefined : { [RESPONSES_FORMAT]: own };
}

export type OpenaiResponsesRequest = z.infer<typeof responsesRequestSchema>;
