import { USUAL_TOOL_NAMES } from '../shared/fields/tool-names.js';
import { appendChatUsage, choicesTail } from '../shared/openai/append-usage.js';
import type {
  ApiFormat,
  CallTarget,
  ParsedCall,
  RequestEdits,
  UpstreamFormat,
} from '../contract/api-format.js';
import { OPENAI_ROOTS } from '../shared/fields/tool-roots.js';
import { CHAT_FORMAT } from './id.js';
import { ChoicesMeter } from '../shared/openai/openai-choices-meter.js';
import { repairChat } from './repair-reply.js';
import { readChatReply } from './read-reply.js';
import { ChatReplyReader } from './reply-reader.js';
import { ChatReplyWriter } from './reply-writer.js';
import { writeChatRequest } from './write-request.js';
import { writeChatReply } from './write-reply.js';
import { readField, spliceFields } from '../../framing/json-splice.js';
import {
  checkInput,
  MAX_CHOICES,
  MAX_OUTPUT_CAP,
  readCallHead,
  readIntegers,
  readStreamUsage,
  STEERING_FIELDS,
} from '../shared/fields/request-fields.js';
import type { Warning } from '../../model/warning.js';
import { repairedToolList } from '../shared/fields/tool-schema.js';
import { ok, type Result } from '../../../common/result.js';
import type { CallShape } from '../../model/call.js';
import type { RelayError } from '../../model/relay-error.js';
import { estimateFields } from '../shared/requests/estimate-prompt.js';
import { documentOf } from '../shared/fields/json-fields.js';
import { unreadableForm } from '../shared/requests/unreadable-form.js';
import { JsonCall } from '../shared/requests/json-call.js';
import { requestedServiceTier } from '../shared/metering/reported-usage.js';
import { chatTools } from '../shared/metering/vendor-tools.js';
import { readChatRequest } from './read-request.js';

/** Numbers that change what a call costs or how much it answers: whole and in range, or refused. */
const INTEGERS = [
  { name: 'max_tokens', min: 1, max: MAX_OUTPUT_CAP },
  { name: 'max_completion_tokens', min: 1, max: MAX_OUTPUT_CAP },
  { name: 'n', min: 1, max: MAX_CHOICES },
  /** Some servers of this grammar make so many answers and give back `n` of them. */
  { name: 'best_of', min: 1, max: MAX_CHOICES },
  { name: 'top_logprobs', min: 0, max: 20 },
] as const;

/** Members of a call that the model reads. */
const PROMPT = {
  messages: ['messages'],
  tools: ['tools', 'functions'],
  inputs: ['response_format'],
} as const;

const MESSAGES = {
  missing: "Missing required parameter: 'messages'.",
  unfit: "Invalid 'messages': expected an array of messages.",
  empty: "Invalid 'messages': empty array. Expected at least one message.",
};

/** Nearly always nothing changes, and then nothing is made. */
const put = (changes: Changes | undefined, name: string, value: unknown): Changes =>
  (changes ?? new Map<string, unknown>()).set(name, value);

/** OpenAI's chat grammar: https://platform.openai.com/docs/api-reference/chat (read 2026-11-21). */
export const openaiChat: ApiFormat<'chat'> = {
  id: CHAT_FORMAT,
  hasTextArguments: true,
  replyType: 'application/json',
  hasFreeformTools: true,
  repair: repairChat,
  parseCall: parseChatCall,
  capPlaces: ['max_tokens', 'max_completion_tokens'],
  responseFormatsAreObjects: true,
  bytesOnly: ['audio'],
  toolRoots: OPENAI_ROOTS,
  toolNames: USUAL_TOOL_NAMES,
  spliceRequest: spliceChatRequest,
  writeRequest: writeChatRequest,
  openMeter: () => new ChoicesMeter(),
  readReply: (body) => readChatReply(body),
  openReplyReader: () => new ChatReplyReader(),
  writeReply: writeChatReply,
  streamTail: choicesTail('chat.completion.chunk', 'chatcmpl-', { endsWith: { delta: {} } }),
  appendUsage: appendChatUsage,
  openReplyWriter: (context, call) => new ChatReplyWriter(context, call),
};

/** The same grammar of a vendor whose reports count cached tokens beside the prompt. */
export const openaiChatCachedBeside: UpstreamFormat<'chat'> = {
  ...openaiChat,
  openMeter: () => new ChoicesMeter('beside'),
  readReply: (body) => readChatReply(body, 'beside'),
  openReplyReader: () => new ChatReplyReader('beside'),
};

/**
 * Pass-through: the caller's own bytes with the upstream's model name, usage reporting of streams switched on, and
 * members taken out that must not leave or that the vendor refuses. Every other byte stays.
 */
export function spliceChatRequest(
  call: ParsedCall<'chat'>,
  edits: RequestEdits,
  warnings?: Warning[],
): Buffer {
  const { document, shape } = call;
  let changes: Changes | undefined;
  if (!document.members.has('model') || edits.upstreamModel !== shape.model) {
    changes = put(changes, 'model', edits.upstreamModel);
  }
  if (edits.dropStreamOptions) changes = put(changes, 'stream_options', undefined);
  else if (edits.reportUsage && shape.stream && !shape.wantsStreamUsage) {
    const options = { ...objectField(call, 'stream_options'), include_usage: true };
    changes = put(changes, 'stream_options', options);
  }
  for (const name of STEERING_FIELDS) if (document.members.has(name)) changes = put(changes, name, undefined);
  for (const name of edits.refusedMembers)
    if (document.members.has(name)) changes = put(changes, name, undefined);
  if (warnings !== undefined) {
    for (const name of ['tools', 'functions'] as const) {
      const mended = repairedToolList(document, name, edits.upstreamModel, warnings);
      if (mended !== undefined) changes = put(changes, name, mended);
    }
  }
  const cap = edits.outputCap ?? (edits.usesCompletionCap ? shape.outputCap : undefined);
  if (cap !== undefined && (edits.outputCap !== undefined || document.members.has('max_tokens'))) {
    const [name, other] = edits.usesCompletionCap
      ? (['max_completion_tokens', 'max_tokens'] as const)
      : (['max_tokens', 'max_completion_tokens'] as const);
    changes = put(put(changes, name, cap), other, undefined);
  }
  return changes === undefined ? document.bytes : spliceFields(document, changes);
}

type Changes = Map<string, unknown>;

function objectField(call: ParsedCall<'chat'>, name: string): object {
  const value = readField(call.document, name);
  return typeof value === 'object' && value !== null ? value : {};
}

/**
 * Understands a chat request from its top-level members: the model, the input, the output cap, and
 * about how long the prompt is. The messages themselves are read only when the call is translated.
 * Fails: invalid-request, with the name of the field.
 */
export function parseChatCall(
  body: Buffer,
  { pathModel }: CallTarget,
): Result<ParsedCall<'chat'>, RelayError> {
  const head = readCallHead(body, pathModel);
  if (!head.ok) return head;
  const { document, model, stream } = head.value;
  const integers = readIntegers(document, INTEGERS);
  if (!integers.ok) return integers;
  const [cap, completionCap, choices, bestOf] = integers.value;
  const messages = checkInput(document, 'messages', MESSAGES, '[');
  if (messages !== null) return messages;
  const wantsStreamUsage = readStreamUsage(document);
  if (!wantsStreamUsage.ok) return wantsStreamUsage;

  const shape: CallShape = {
    operation: 'chat',
    model,
    stream,
    outputCap: largerCap(cap, completionCap),
    choices: Math.max(choices ?? 1, bestOf ?? 1),
    promptTokens: estimateFields(document, PROMPT),
    wantsStreamUsage: wantsStreamUsage.value,
    ...chatTools(document),
    ...requestedServiceTier(document),
  };
  return ok(new ParsedChatCall(shape, document, (whole) => readChatRequest(whole, shape, choices ?? 1)));
}

class ParsedChatCall extends JsonCall<'chat'> {
  untranslatableReason(): RelayError | undefined {
    return unreadableForm('response_format', readField(this.document, 'response_format'), (form) => [
      documentOf(form['json_schema'])['schema'],
      'json_schema.schema',
    ]);
  }
}

/** Vendors differ on which of the two they read: the larger one is what the call may cost. */
function largerCap(cap: number | undefined, completionCap: number | undefined): number | undefined {
  if (cap === undefined || completionCap === undefined) return cap ?? completionCap;
  return Math.max(cap, completionCap);
}
