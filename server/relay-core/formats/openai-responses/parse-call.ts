import { ok, type Result } from '../../../common/result.js';
import type { ScannedObject } from '../../framing/json-splice.js';
import type { CallShape } from '../../model/call.js';
import type { RelayError } from '../../model/relay-error.js';
import { estimateFields } from '../shared/requests/estimate-prompt.js';
import {
  checkInput,
  invalidRequest,
  MAX_OUTPUT_CAP,
  readFlag,
  readSmall,
  readCallHead,
  readIntegers,
} from '../shared/fields/request-fields.js';
import { documentOf } from '../shared/fields/json-fields.js';
import { unreadableForm } from '../shared/requests/unreadable-form.js';
import { JsonCall } from '../shared/requests/json-call.js';
import { requestedServiceTier } from '../shared/metering/service-tier.js';
import { responsesTools } from '../shared/metering/vendor-tools.js';
import type { CallTarget, ParsedCall } from '../contract/api-format.js';
import { findUntranslatable } from './untranslatable-request.js';
import { readResponsesRequest } from './read-request.js';

/** Numbers that change what a call costs: whole and in range, or refused. */
const INTEGERS = [
  { name: 'max_output_tokens', min: 1, max: MAX_OUTPUT_CAP },
  { name: 'top_logprobs', min: 0, max: 20 },
  { name: 'max_tool_calls', min: 1, max: MAX_OUTPUT_CAP },
] as const;
/** One of them must say what is asked. */
const QUESTIONS: readonly string[] = ['input', 'prompt', 'previous_response_id', 'conversation'];

/** What of a call the model reads. */
const PROMPT = { messages: ['input'], tools: ['tools'], inputs: ['instructions', 'text', 'prompt'] } as const;

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
    // The figures are part of the last event, which nobody hides.
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
  return span === undefined || isTextOrNull ? null : checkInput(document, 'input', '[', INPUT);
}

const INPUT = {
  missing: "Missing required parameter: 'input'.",
  unfit: "Invalid 'input': expected a string or an array of items.",
  empty: "Invalid 'input': empty array. Expected at least one item.",
};
