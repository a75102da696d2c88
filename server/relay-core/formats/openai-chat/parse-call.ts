import { ok, type Result } from '../../../common/result.js';
import { readField } from '../../framing/json-splice.js';
import type { CallShape } from '../../model/call.js';
import type { RelayError } from '../../model/relay-error.js';
import { estimateFields } from '../shared/requests/estimate-prompt.js';
import {
  checkInput,
  MAX_CHOICES,
  MAX_OUTPUT_CAP,
  readStreamUsage,
  readCallHead,
  readIntegers,
} from '../shared/fields/request-fields.js';
import { documentOf } from '../shared/fields/json-fields.js';
import { unreadableForm } from '../shared/requests/unreadable-form.js';
import { JsonCall } from '../shared/requests/json-call.js';
import { requestedServiceTier } from '../shared/metering/service-tier.js';
import { chatTools } from '../shared/metering/vendor-tools.js';
import type { CallTarget, ParsedCall } from '../contract/api-format.js';
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

/** What of a call the model reads. */
const PROMPT = {
  messages: ['messages'],
  tools: ['tools', 'functions'],
  inputs: ['response_format'],
} as const;

/**
 * Understands a chat request from its top-level members: what is asked of which model, how much it may answer, and
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
  const messages = checkInput(document, 'messages', '[', MESSAGES);
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

const MESSAGES = {
  missing: "Missing required parameter: 'messages'.",
  unfit: "Invalid 'messages': expected an array of messages.",
  empty: "Invalid 'messages': empty array. Expected at least one message.",
};
