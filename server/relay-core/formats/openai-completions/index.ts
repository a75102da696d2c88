import { z } from 'zod';
import { ChoicesMeter } from '../shared/openai/openai-choices-meter.js';
import { appendChatUsage, choicesTail } from '../shared/openai/append-usage.js';
import type {
  ApiFormat,
  CallTarget,
  ParsedCall,
  RequestEdits,
  WrittenRequest,
} from '../contract/api-format.js';
import { COMPLETIONS_FORMAT } from './id.js';
import { CompletionReplyReader, readCompletionReply } from './read-reply.js';
import { CompletionReplyWriter, writeCompletionReply } from './write-reply.js';
import { readField, type ScannedObject, spliceFields } from '../../framing/json-splice.js';
import { documentOf, given, readStops, setGiven } from '../shared/fields/json-fields.js';
import {
  FORBIDDEN_FIELDS,
  invalidRequest,
  MAX_CHOICES,
  MAX_OUTPUT_CAP,
  readCallHead,
  readIntegers,
  readStreamUsage,
} from '../shared/fields/request-fields.js';
import { ok, type Result } from '../../../common/result.js';
import type { CallShape } from '../../model/call.js';
import type { RelayError } from '../../model/relay-error.js';
import { estimateFields } from '../shared/requests/estimate-prompt.js';
import { JsonCall } from '../shared/requests/json-call.js';
import { countPrompts, findUntranslatable, textOfPrompt } from './prompts.js';
import type { ChatRequest, Message } from '../../model/chat.js';
import { keepUnknown } from '../../model/vendor-options.js';
import { invalidBody } from '../shared/fields/schema-fault.js';
import type { Warning } from '../../model/warning.js';
import { warnOfLost, warnOfOtherFormatFields } from '../shared/fields/dropped-fields.js';
import { requestRefusal } from '../../model/refusals.js';
import { setSampling } from '../shared/openai/openai-members.js';
import { writtenBody } from '../shared/requests/drop-refused-members.js';

const isText = (type: string): boolean =>
  type === 'text' || type === 'refusal' || type === 'reasoning' || type === 'source';

const NAMES: Readonly<Record<Message['role'], string>> = {
  system: 'System',
  developer: 'System',
  user: 'User',
  assistant: 'Assistant',
  tool: 'Tool',
};

const textOf = (message: Message): string =>
  message.content.map((part) => (part.type === 'text' || part.type === 'refusal' ? part.text : '')).join('');

/** Body of a text completion, as far as a conversation can express it; members we do not know are kept. */
export const completionRequestSchema = z.looseObject({
  prompt: z.union([z.string(), z.array(z.unknown())]),
  suffix: z.string().nullish(),
  echo: z.boolean().nullish(),
  max_tokens: z.int().min(0).max(MAX_OUTPUT_CAP).nullish(),
  temperature: z.number().min(0).max(5).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  seed: z.int().nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(16)]).nullish(),
  user: z.string().nullish(),
});

/** Members the neutral request owns; all others are vendor options. */
export const KNOWN_REQUEST_FIELDS: ReadonlySet<string> = new Set([
  ...Object.keys(completionRequestSchema.shape),
  'model',
  'n',
  'stream',
  'stream_options',
]);

/** Members kept for the same format although the neutral request has no word for them. */
const KEPT_FIELDS: readonly string[] = ['suffix', 'echo'];

const INTEGERS = [
  /** Zero asks for the probabilities of the prompt alone. */
  { name: 'max_tokens', min: 0, max: MAX_OUTPUT_CAP },
  { name: 'n', min: 1, max: MAX_CHOICES },
  { name: 'best_of', min: 1, max: MAX_CHOICES },
  { name: 'logprobs', min: 0, max: 20 },
] as const;

/** OpenAI's text completions: https://platform.openai.com/docs/api-reference/completions (read 2026-11-21). */
export const openaiCompletions: ApiFormat<'chat'> = {
  id: COMPLETIONS_FORMAT,
  replyType: 'application/json',
  parseCall: parseCompletionCall,
  capPlaces: ['max_tokens'],
  spliceRequest: spliceCompletionRequest,
  writeRequest: writeCompletionRequest,
  refuseRequest: refuseCompletionRequest,
  openMeter: () => new ChoicesMeter(),
  readReply: readCompletionReply,
  openReplyReader: () => new CompletionReplyReader(),
  writeReply: writeCompletionReply,
  streamTail: choicesTail('text_completion', 'cmpl-'),
  appendUsage: appendChatUsage,
  openReplyWriter: (context, call) => new CompletionReplyWriter(context, call),
};

/** Pass-through: the caller's own bytes with only what the gateway must change. */
export function spliceCompletionRequest(call: ParsedCall<'chat'>, edits: RequestEdits): Buffer {
  const { document, shape } = call;
  const changes = new Map<string, unknown>();
  if (!document.members.has('model') || edits.upstreamModel !== shape.model)
    changes.set('model', edits.upstreamModel);
  if (edits.dropStreamOptions) changes.set('stream_options', undefined);
  else if (edits.reportUsage && shape.stream && !shape.wantsStreamUsage) {
    const before = documentOf(readField(document, 'stream_options'));
    changes.set('stream_options', { ...before, include_usage: true });
  }
  for (const name of [...FORBIDDEN_FIELDS, ...edits.refusedMembers])
    if (document.members.has(name)) changes.set(name, undefined);
  if (edits.outputCap !== undefined) changes.set('max_tokens', edits.outputCap);
  return changes.size === 0 ? document.bytes : spliceFields(document, changes);
}

/**
 * Understands a text completion from its top-level members. Prompts in one call each make their own answers, so they
 * multiply what the call may cost.
 * Fails: invalid-request, with the name of the field.
 */
export function parseCompletionCall(
  body: Buffer,
  target: CallTarget,
): Result<ParsedCall<'chat'>, RelayError> {
  const head = readCallHead(body, target.pathModel);
  if (!head.ok) return head;
  const { document, model, stream } = head.value;
  const integers = readIntegers(document, INTEGERS);
  if (!integers.ok) return integers;
  const [cap, choices, bestOf] = integers.value;
  const prompts = readPromptCount(document);
  if (!prompts.ok) return prompts;
  const wantsStreamUsage = readStreamUsage(document);
  if (!wantsStreamUsage.ok) return wantsStreamUsage;
  const perPrompt = Math.max(choices ?? 1, bestOf ?? 1);
  if (perPrompt * prompts.value > MAX_CHOICES) {
    return invalidRequest(
      `Too many answers: the prompts of one call may ask for ${MAX_CHOICES} in all.`,
      'prompt',
    );
  }
  const shape: CallShape = {
    operation: 'chat',
    model,
    stream,
    // Nothing is written for a cap of zero, which no later sum should meet.
    outputCap: cap === undefined ? undefined : Math.max(1, cap),
    choices: perPrompt * prompts.value,
    promptTokens: estimateFields(document, { inputs: ['prompt'] }),
    wantsStreamUsage: wantsStreamUsage.value,
  };
  return ok(
    new ParsedCompletionCall(shape, document, (whole) => readCompletionRequest(whole, shape, choices ?? 1)),
  );
}

function readPromptCount(document: ScannedObject): Result<number, RelayError> {
  const span = document.members.get('prompt');
  const first = span === undefined ? 0x6e : document.bytes[span.start];
  if (first === 0x6e) return invalidRequest("Missing required parameter: 'prompt'.", 'prompt');
  if (first === 0x22) return ok(1);
  if (first !== 0x5b) return invalidRequest("Invalid 'prompt': expected text, tokens, or a list.", 'prompt');
  let prompt: unknown;
  try {
    prompt = readField(document, 'prompt');
  } catch {
    return invalidRequest("Invalid 'prompt': not valid JSON.", 'prompt');
  }
  const count = countPrompts(prompt);
  if (Array.isArray(prompt) && prompt.length === 0)
    return invalidRequest("Invalid 'prompt': empty array.", 'prompt');
  return ok(count);
}

/** A text completion that was understood. */
class ParsedCompletionCall extends JsonCall<'chat'> {
  untranslatableReason(): RelayError | undefined {
    return findUntranslatable(documentOf(this.body()));
  }
}

/**
 * Body → neutral request: the prompt is a user's text.
 * Fails: invalid-request, with the path of the first field at fault.
 */
export function readCompletionRequest(
  body: unknown,
  shape: CallShape,
  answersEach: number,
): Result<ChatRequest, RelayError> {
  const parsed = completionRequestSchema.safeParse(body);
  if (!parsed.success) return invalidBody(parsed.error);
  const fields = parsed.data;
  const text = textOfPrompt(fields.prompt);
  const own: Record<string, unknown> = {
    ...keepUnknown(COMPLETIONS_FORMAT, fields, KNOWN_REQUEST_FIELDS)?.[COMPLETIONS_FORMAT],
    // Several prompts, or tokens: only this format can carry them.
    ...(text === undefined ? { prompt: fields.prompt } : {}),
  };
  for (const name of KEPT_FIELDS) {
    const value = fields[name];
    if (value !== null && value !== undefined && value !== false) own[name] = value;
  }
  return ok({
    messages: [{ role: 'user', content: [{ type: 'text', text: text ?? '' }] }],
    choices: answersEach,
    stream: shape.stream,
    wantsStreamUsage: shape.wantsStreamUsage,
    ...given('maxOutputTokens', shape.outputCap),
    ...given('temperature', fields.temperature),
    ...given('topP', fields.top_p),
    ...given('frequencyPenalty', fields.frequency_penalty),
    ...given('presencePenalty', fields.presence_penalty),
    ...given('seed', fields.seed),
    ...given('stop', readStops(fields.stop)),
    ...given('user', fields.user),
    ...(Object.keys(own).length === 0 ? {} : { vendorOptions: { [COMPLETIONS_FORMAT]: own } }),
  });
}

/** Reason why a model that only continues text cannot take a conversation. */
export function refuseCompletionRequest(request: ChatRequest): RelayError | undefined {
  const hasTools = (request.tools?.length ?? 0) > 0;
  const isForced = request.toolChoice !== undefined && request.toolChoice.type !== 'none';
  if (hasTools && isForced)
    return requestRefusal('This model continues text and cannot call tools.', 'tools');
  for (const message of request.messages) {
    for (const { type } of message.content) {
      if (type === 'image' || type === 'audio' || type === 'video' || type === 'file')
        return requestRefusal(
          `This model continues text and cannot read a part of type ${type}.`,
          'messages',
        );
    }
  }
  return undefined;
}

/** Neutral request → body for a model that continues text. */
export function writeCompletionRequest(request: ChatRequest, edits: RequestEdits): WrittenRequest {
  const warnings: Warning[] = [];
  const { prompt, ...own } = { ...request.vendorOptions?.[COMPLETIONS_FORMAT] };
  warnOfOtherFormatFields(request.vendorOptions, COMPLETIONS_FORMAT, warnings);
  const body: Record<string, unknown> = { ...own };
  for (const name of FORBIDDEN_FIELDS) delete body[name];
  body['model'] = edits.upstreamModel;
  body['prompt'] = prompt ?? writePrompt(request.messages);
  setGiven(body, 'max_tokens', edits.outputCap ?? request.maxOutputTokens);
  setSampling(body, request);
  setGiven(body, 'user', request.user);
  if (request.choices > 1) body['n'] = request.choices;
  warnOfLost(request, ['strict', 'detail', 'display'], warnings);
  for (const setting of lostSettings(request)) warnings.push({ setting, reason: 'the model continues text' });
  if (request.stream) {
    body['stream'] = true;
    if ((edits.reportUsage || request.wantsStreamUsage) && !edits.dropStreamOptions)
      body['stream_options'] = { include_usage: true };
  }
  return writtenBody(edits, body, warnings);
}

/** Settings of a conversation that a continued text cannot hold. */
function lostSettings(request: ChatRequest): readonly string[] {
  const content = request.messages.flatMap((message) => message.content);
  const lost = {
    tools: (request.tools?.length ?? 0) > 0,
    tool_choice: request.toolChoice !== undefined,
    parallel_tool_calls: request.parallelToolCalls !== undefined,
    response_format: request.responseFormat !== undefined && request.responseFormat.type !== 'text',
    reasoning: request.reasoning !== undefined,
    top_k: request.topK !== undefined,
    tool_calls: content.some(({ type }) => type === 'tool-call'),
    is_error: request.messages.some((message) => message.role === 'tool' && message.isError === true),
    thoughts: content.some((part) => part.type === 'reasoning'),
    cache_control: content.some((part) => part.type !== 'vendor' && part.cache !== undefined),
    content: content.some(({ type }) => !isText(type)),
  };
  return Object.entries(lost).flatMap(([setting, isLost]) => (isLost ? [setting] : []));
}

/** A single user message is the prompt itself; a longer conversation is written down as one. */
function writePrompt(messages: readonly Message[]): string {
  const [only] = messages;
  if (messages.length === 1 && only?.role === 'user') return textOf(only);
  const lines = messages.map((message) => `${NAMES[message.role]}: ${textOf(message)}`);
  return `${lines.join('\n\n')}\n\n${NAMES.assistant}:`;
}
