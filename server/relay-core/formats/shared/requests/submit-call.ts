import { fail, ok, type Result } from '../../../../common/result.js';
import type { CallShape } from '../../../model/call.js';
import { refusal } from '../../../model/refusals.js';
import type { RelayError } from '../../../model/relay-error.js';
import type { Submission, SubmitReply, SubmitRequest } from '../../../model/task.js';
import { estimateTokens } from '../../../framing/estimate-tokens.js';
import { JsonCall, WHOLE_ANSWER } from './json-call.js';
import { documentOf, parseDocument, type Document } from '../fields/json-fields.js';
import { invalidRequest, scanRequest, STEERING_FIELDS } from '../fields/request-fields.js';
import type { ParsedCall, RequestEdits, WrittenRequest } from '../../contract/api-format.js';

/** Texts of a submission that are kept with its record. */
const MAX_KEPT_CHARACTERS = 20_000;

/**
 * Understands a submission from its whole body: it is short but for its images, and comes a few times a minute.
 * Fails: invalid-request.
 */
export function parseSubmission(
  bytes: Buffer,
  read: (
    body: Document,
  ) => Result<Omit<Submission, 'prompt' | 'state'> & { readonly model: string }, RelayError>,
): Result<ParsedCall<'submit'>, RelayError> {
  const scanned = scanRequest(bytes);
  if (!scanned.ok) return scanned;
  const body = parseDocument(scanned.value.bytes, JSON.parse);
  if (body === undefined) return invalidRequest('We could not parse the JSON body of your request.');
  const asked = read(body);
  if (!asked.ok) return asked;
  const { model, path, action, origin } = asked.value;
  const prompt = keptText(body['prompt'] ?? body['gpt_description_prompt']);
  const shape: CallShape = {
    ...WHOLE_ANSWER,
    operation: 'submit',
    model,
    promptTokens: prompt === '' ? 1 : estimateTokens(prompt),
    heldOutput: { tokens: 0, kind: 'text' },
    submission: {
      path,
      action,
      prompt,
      state: keptText(body['state']),
      ...(origin === undefined ? {} : { origin }),
    },
  };
  return ok(new JsonCall<'submit'>(shape, scanned.value, (whole) => ok({ body: documentOf(whole) })));
}

export const keptText = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, MAX_KEPT_CHARACTERS) : '';

/** The body as the operator lets it go on. */
export function writeSubmission(request: SubmitRequest, edits: RequestEdits): WrittenRequest {
  const body: Record<string, unknown> = { ...request.body };
  for (const name of [...STEERING_FIELDS, ...edits.refusedMembers]) delete body[name];
  return { body: Buffer.from(JSON.stringify(body)), warnings: [] };
}

/** Fails: upstream-malformed. */
export function readSubmitReply(body: Buffer): Result<SubmitReply, RelayError> {
  const document = parseDocument(body, JSON.parse);
  if (document !== undefined) return ok({ document });
  return fail(refusal('task-unsaid'));
}
