import { ok, type Result } from '../../../common/result.js';
import { readField, type ScannedObject } from '../../framing/json-splice.js';
import type { CallShape } from '../../model/call.js';
import type { RelayError } from '../../model/relay-error.js';
import { estimateFields } from '../shared/requests/estimate-prompt.js';
import { documentOf } from '../shared/fields/json-fields.js';
import {
  invalidRequest,
  MAX_CHOICES,
  MAX_OUTPUT_CAP,
  readStreamUsage,
  readCallHead,
  readIntegers,
} from '../shared/fields/request-fields.js';
import { JsonCall } from '../shared/requests/json-call.js';
import type { CallTarget, ParsedCall } from '../contract/api-format.js';
import { countPrompts, findUntranslatable } from './prompts.js';
import { readCompletionRequest } from './read-request.js';

const INTEGERS = [
  /** Zero asks for the probabilities of the prompt alone. */
  { name: 'max_tokens', min: 0, max: MAX_OUTPUT_CAP },
  { name: 'n', min: 1, max: MAX_CHOICES },
  { name: 'best_of', min: 1, max: MAX_CHOICES },
  { name: 'logprobs', min: 0, max: 20 },
] as const;

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
