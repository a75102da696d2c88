import { USUAL_TOOL_NAMES } from '../shared/fields/tool-names.js';
import { appendResponsesUsage, responsesTail } from './stream-tail.js';
import type { ApiFormat, CallTarget, ParsedCall, RequestEdits } from '../contract/api-format.js';
import { OPENAI_ROOTS } from '../shared/fields/tool-roots.js';
import { holdsMark, holdsUnsignedReasoning } from '../shared/requests/foreign-signatures.js';
import { RESPONSES_FORMAT } from './id.js';
import { ResponsesMeter } from './meter.js';
import { readResponsesReply } from './read-reply.js';
import { ResponsesReplyReader } from './reply-reader.js';
import { ResponsesReplyWriter, writeResponsesErrorFrame } from './reply-writer.js';
import { writeResponsesReply } from './write-reply.js';
import { refuseResponsesRequest, writeResponsesRequest } from './write-request.js';
import { type ScannedObject, spliceFields } from '../../framing/json-splice.js';
import {
  checkInput,
  invalidRequest,
  MAX_OUTPUT_CAP,
  readCallHead,
  readFlag,
  readIntegers,
  readSmall,
  STEERING_FIELDS,
} from '../shared/fields/request-fields.js';
import type { Warning } from '../../model/warning.js';
import { repairedToolList } from '../shared/fields/tool-schema.js';
import { ok, type Result } from '../../../common/result.js';
import type { CallShape } from '../../model/call.js';
import type { RelayError } from '../../model/relay-error.js';
import { estimateFields } from '../shared/requests/estimate-prompt.js';
import { type Document, documentOf, isDocument, listOf, textOf } from '../shared/fields/json-fields.js';
import { unreadableForm } from '../shared/requests/unreadable-form.js';
import { JsonCall } from '../shared/requests/json-call.js';
import { requestedServiceTier } from '../shared/metering/reported-usage.js';
import { responsesTools } from '../shared/metering/vendor-tools.js';
import { readCompaction } from './compaction.js';
import { readResponsesRequest } from './read-request.js';
import { requestRefusal } from '../../model/refusals.js';

/** Members that lean on something the vendor stored, or ask it to store: no other format has it. */
const STATEFUL_FIELDS: readonly string[] = ['previous_response_id', 'conversation', 'prompt'];
/** Items that stand for what only the vendor holds, or answer what only its tools asked. */
const BOUND_ITEMS: ReadonlySet<string> = new Set([
  'item_reference',
  'computer_call_output',
  'mcp_approval_response',
  'local_shell_call_output',
  'shell_call_output',
  'apply_patch_call_output',
  'tool_search_output',
  'program_output',
  'configuration_update',
]);
/** Tools another format can express. */
const PORTABLE_TOOLS: ReadonlySet<string> = new Set([
  'function',
  'custom',
  'web_search',
  'web_search_preview',
  'web_search_2025_08_26',
  'web_search_preview_2025_03_11',
  'namespace',
]);

/** Numbers that change what a call costs: whole and in range, or refused. */
const INTEGERS = [
  { name: 'max_output_tokens', min: 1, max: MAX_OUTPUT_CAP },
  { name: 'top_logprobs', min: 0, max: 20 },
  { name: 'max_tool_calls', min: 1, max: MAX_OUTPUT_CAP },
] as const;
/** One of these members must hold the input. */
const QUESTIONS: readonly string[] = ['input', 'prompt', 'previous_response_id', 'conversation'];

/** Members of a call that the model reads. */
const PROMPT = { messages: ['input'], tools: ['tools'], inputs: ['instructions', 'text', 'prompt'] } as const;

const INPUT = {
  missing: "Missing required parameter: 'input'.",
  unfit: "Invalid 'input': expected a string or an array of items.",
  empty: "Invalid 'input': empty array. Expected at least one item.",
};

/** OpenAI's Responses grammar: https://platform.openai.com/docs/api-reference/responses (read 2026-11-21). */
export const openaiResponses: ApiFormat<'chat'> = {
  id: RESPONSES_FORMAT,
  hasTextArguments: true,
  replyType: 'application/json',
  hasFreeformTools: true,
  parseCall: parseResponsesCall,
  capPlaces: ['max_output_tokens'],
  responseFormatsAreObjects: true,
  bytesOnly: ['audio'],
  toolRoots: OPENAI_ROOTS,
  toolNames: USUAL_TOOL_NAMES,
  spliceRequest: spliceResponsesRequest,
  writeRequest: writeResponsesRequest,
  holdsForeignSignatures: (bytes) => holdsMark(bytes, ['encrypted_content']) || holdsUnsignedReasoning(bytes),
  refuseRequest: refuseResponsesRequest,
  openMeter: () => new ResponsesMeter(),
  readReply: readResponsesReply,
  openReplyReader: () => new ResponsesReplyReader(),
  writeReply: writeResponsesReply,
  streamTail: responsesTail,
  appendUsage: appendResponsesUsage,
  openReplyWriter: (context, call) => new ResponsesReplyWriter(context, call),
  writeErrorFrame: writeResponsesErrorFrame,
};

/** Pass-through: the caller's own bytes with the upstream's model name and without what must not leave. */
export function spliceResponsesRequest(
  call: ParsedCall<'chat'>,
  edits: RequestEdits,
  warnings?: Warning[],
): Buffer {
  const { document, shape } = call;
  const changes = new Map<string, unknown>();
  if (!document.members.has('model') || edits.upstreamModel !== shape.model) {
    changes.set('model', edits.upstreamModel);
  }
  if (edits.dropStreamOptions && document.members.has('stream_options'))
    changes.set('stream_options', undefined);
  for (const name of STEERING_FIELDS) if (document.members.has(name)) changes.set(name, undefined);
  for (const name of edits.refusedMembers) if (document.members.has(name)) changes.set(name, undefined);
  const mended = warnings && repairedToolList(document, 'tools', edits.upstreamModel, warnings);
  if (mended !== undefined) changes.set('tools', mended);
  if (edits.outputCap !== undefined) changes.set('max_output_tokens', edits.outputCap);
  return changes.size === 0 ? document.bytes : spliceFields(document, changes);
}

/**
 * Understands a Responses request from its top-level members. The items are read only when the call is translated.
 * Fails: invalid-request, with the name of the field.
 */
export function parseResponsesCall(body: Buffer, target: CallTarget): Result<ParsedCall<'chat'>, RelayError> {
  const head = readCallHead(body, target.pathModel);
  if (!head.ok) return head;
  const { document, model, stream } = head.value;
  const background = readFlag(document, 'background');
  if (!background.ok) return background;
  if (background.value) {
    // Its answer would have to be fetched later, from whichever account made it, and charged then.
    return invalidRequest(
      "'background' is not offered: stored responses cannot be fetched here. Ask for a stream instead.",
      'background',
    );
  }
  const integers = readIntegers(document, INTEGERS);
  if (!integers.ok) return integers;
  const [cap, , toolCalls] = integers.value;
  const input = checkQuestion(document);
  if (input !== null) return input;
  const shape: CallShape = {
    operation: 'chat',
    model,
    stream,
    outputCap: cap,
    choices: 1,
    promptTokens: estimateFields(document, PROMPT),
    // The figures are part of the last event, which is never hidden.
    wantsStreamUsage: false,
    ...responsesTools(document, toolCalls),
    ...requestedServiceTier(document),
  };
  return ok(new ParsedResponsesCall(shape, document, (whole) => readResponsesRequest(whole, shape)));
}

class ParsedResponsesCall extends JsonCall<'chat'> {
  untranslatableReason(): RelayError | undefined {
    const body = documentOf(this.body());
    const form = documentOf(body['text'])['format'];
    return (
      findUntranslatable(body) ?? unreadableForm('text.format', form, ({ schema }) => [schema, 'schema'])
    );
  }
}

function checkQuestion(document: ScannedObject): ReturnType<typeof checkInput> {
  if (!QUESTIONS.some((name) => document.members.has(name) && readSmall(document, name) !== null))
    return invalidRequest(INPUT.missing, 'input');
  const span = document.members.get('input');
  const first = span === undefined ? undefined : document.bytes[span.start];
  const isTextOrNull = first === 0x22 || first === 0x6e;
  return span === undefined || isTextOrNull ? null : checkInput(document, 'input', INPUT, '[');
}

/** Why a request can be answered by a vendor of this format only; undefined = it can be translated. */
export function findUntranslatable(body: unknown): RelayError | undefined {
  const document = documentOf(body);
  for (const name of STATEFUL_FIELDS) {
    const value = document[name];
    if (value === null || value === undefined) continue;
    return requestRefusal(
      `'${name}' leans on what the vendor stores, and the upstream of this model does not speak the Responses API. Send the whole conversation as 'input' instead.`,
      name,
    );
  }
  for (const [index, item] of listOf(document['input']).entries()) {
    const type = textOf(documentOf(item)['type']);
    if (type === undefined || !BOUND_ITEMS.has(type) || readCompaction(documentOf(item)) !== undefined)
      continue;
    return requestRefusal(
      `The upstream of this model does not speak the Responses API, and items of type '${type}' cannot be translated for it.`,
      `input.${index}`,
    );
  }
  return findBoundTool(document);
}

/** Leaves out tools that only this format has, with a warning, where they are one offer among others; otherwise the call is refused. */
function findBoundTool(document: Document): RelayError | undefined {
  const tools = listOf(document['tools']).map((tool) =>
    isDocument(tool) ? textOf(tool['type']) : undefined,
  );
  const isForced = tools.includes(textOf(documentOf(document['tool_choice'])['type']));
  const hasOthers = tools.some((type) => type !== undefined && PORTABLE_TOOLS.has(type));
  if (hasOthers && !isForced) return undefined;
  for (const [index, type] of tools.entries()) {
    if (type === undefined || PORTABLE_TOOLS.has(type)) continue;
    return requestRefusal(
      `The upstream of this model does not speak the Responses API, and tools of type '${type}' cannot be translated for it.`,
      `tools.${index}`,
    );
  }
  return undefined;
}
