import { ok, type Result } from '../../../common/result.js';
import type { CallShape } from '../../model/call.js';
import type { ChatRequest } from '../../model/chat.js';
import type { RelayError } from '../../model/relay-error.js';
import { keepUnknown } from '../../model/vendor-options.js';
import { given, readStops } from '../shared/fields/json-fields.js';
import { invalidBody } from '../shared/fields/schema-fault.js';
import { COMPLETIONS_FORMAT } from './id.js';
import { textOfPrompt } from './prompts.js';
import { completionRequestSchema, KNOWN_REQUEST_FIELDS } from './schema.js';

/** Members kept for the same format although the neutral request has no word for them. */
const KEPT_FIELDS: readonly string[] = ['suffix', 'echo'];

/**
 * Body → neutral request: the prompt is what a user says.
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
    // Several prompts, or tokens: only this format can say them again.
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
