import { ok, type Result } from '../../../common/result.js';
import type { CallShape } from '../../model/call.js';
import type { RelayError } from '../../model/relay-error.js';
import { estimateFields } from '../shared/requests/estimate-prompt.js';
import {
  checkInput,
  readInteger,
  readModelHead,
  type IntegerField,
} from '../shared/fields/request-fields.js';
import { JsonCall, WHOLE_ANSWER } from '../shared/requests/json-call.js';
import type { CallTarget, ParsedCall } from '../contract/api-format.js';
import { readEmbeddingRequest } from './read-request.js';

const INPUT = {
  missing: "Missing required parameter: 'input'.",
  unfit: "Invalid 'input': expected a string or an array.",
  empty: "Invalid 'input': it is empty.",
};
const DIMENSIONS: IntegerField = { name: 'dimensions', min: 1, max: 65_536 };
/** Understands an embedding request from its top-level members. Fails: invalid-request, with the name of the field. */
export function parseEmbeddingCall(
  body: Buffer,
  { pathModel }: CallTarget,
): Result<ParsedCall<'embed'>, RelayError> {
  const head = readModelHead(body, pathModel);
  if (!head.ok) return head;
  const { document, model } = head.value;
  const dimensions = readInteger(document, DIMENSIONS);
  if (!dimensions.ok) return dimensions;
  const fault = checkInput(document, 'input', '"[', INPUT);
  if (fault !== null) return fault;
  const shape: CallShape = {
    ...WHOLE_ANSWER,
    operation: 'embed',
    model,
    promptTokens: estimateFields(document, { inputs: ['input'] }),
  };
  return ok(new JsonCall<'embed'>(shape, document, readEmbeddingRequest));
}
