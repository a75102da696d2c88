import { ok, type Result } from '../../../common/result.js';
import type { CallShape } from '../../model/call.js';
import type { RelayError } from '../../model/relay-error.js';
import { estimateMembers } from '../shared/requests/estimate-prompt.js';
import {
  invalidRequest,
  readInteger,
  readModelHead,
  type IntegerField,
  isEmptyInput,
} from '../shared/fields/request-fields.js';
import { JsonCall } from '../shared/requests/json-call.js';
import type { CallTarget, ParsedCall } from '../contract/api-format.js';
import { readEmbeddingRequest } from './read-request.js';

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
  const input = document.members.get('input');
  if (input === undefined) return invalidRequest("Missing required parameter: 'input'.", 'input');
  const first = document.bytes[input.start];
  if (first !== 0x22 && first !== 0x5b) {
    return invalidRequest("Invalid 'input': expected a string or an array.", 'input');
  }
  if (isEmptyInput(document.bytes, input.start))
    return invalidRequest("Invalid 'input': it is empty.", 'input');
  const shape: CallShape = {
    operation: 'embed',
    model,
    stream: false,
    outputCap: undefined,
    choices: 1,
    promptTokens: estimateMembers(document, { inputs: ['input'] }),
    wantsStreamUsage: false,
  };
  return ok(new JsonCall<'embed'>(shape, document, readEmbeddingRequest));
}
