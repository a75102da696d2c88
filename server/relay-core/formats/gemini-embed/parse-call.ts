import { ok, type Result } from '../../../common/result.js';
import type { CallShape } from '../../model/call.js';
import type { EmbeddingRequest } from '../../model/embedding.js';
import type { RelayError } from '../../model/relay-error.js';
import { keepUnknown } from '../../model/vendor-options.js';
import { estimateFields } from '../shared/requests/estimate-prompt.js';
import { documentOf, isDocument, listOf, type Document } from '../shared/fields/json-fields.js';
import { camelFields, camelName } from '../shared/fields/proto-names.js';
import { invalidRequest, scanRequest } from '../shared/fields/request-fields.js';
import type { CallTarget, ParsedCall } from '../contract/api-format.js';
import { EMBED_BATCH_FORMAT, EMBED_FORMAT } from './id.js';
import { JsonCall, WHOLE_ANSWER } from '../shared/requests/json-call.js';

const MAX_DIMENSIONS = 65_536;
/** Most texts of one call. */
const MAX_INPUTS = 2_048;
const MAX_MODEL_LENGTH = 256;

/** `embedContent`: one content. Fails: invalid-request, with the name of the field. */
export const parseEmbedCall = (body: Buffer, target: CallTarget): Result<ParsedCall<'embed'>, RelayError> =>
  parse(body, target, 'content');

/** `batchEmbedContents`: several requests of the same model. Fails: invalid-request, with the name of the field. */
export const parseEmbedBatchCall = (
  body: Buffer,
  target: CallTarget,
): Result<ParsedCall<'embed'>, RelayError> => parse(body, target, 'requests');

function parse(
  body: Buffer,
  target: CallTarget,
  member: 'content' | 'requests',
): Result<ParsedCall<'embed'>, RelayError> {
  const scanned = scanRequest(body);
  if (!scanned.ok) return scanned;
  const document = scanned.value;
  const model = (target.pathModel ?? '').replace(/^models\//, '');
  if (model === '' || model.length > MAX_MODEL_LENGTH) {
    return invalidRequest('The address names no model that can be used.', 'model');
  }
  if (!document.members.has(member)) return invalidRequest(`'${member}' is required.`, member);
  const shape: CallShape = {
    ...WHOLE_ANSWER,
    operation: 'embed',
    model,
    promptTokens: estimateFields(document, { inputs: [member] }),
  };
  const isBatch = member === 'requests';
  const call = new JsonCall<'embed'>(shape, document, (whole) =>
    readRequests(isBatch ? listOf(documentOf(whole)['requests']) : [whole], model, isBatch),
  );
  // The parts decide what is asked and of which model, so they are read at once.
  const read = call.neutral();
  return read.ok ? ok(call) : read;
}

const KNOWN_FIELDS: ReadonlySet<string> = new Set(['model', 'content', 'outputDimensionality']);

function readRequests(
  requests: readonly unknown[],
  model: string,
  isList: boolean,
): Result<EmbeddingRequest, RelayError> {
  if (requests.length === 0) return invalidRequest("'requests' is empty.", 'requests');
  if (requests.length > MAX_INPUTS) {
    return invalidRequest(`At most ${MAX_INPUTS} texts can be sent in one call.`, 'requests');
  }
  const inputs: string[] = [];
  let dimensions: number | undefined;
  let rest: Document | undefined;
  for (const item of requests) {
    if (!isDocument(item)) return invalidRequest("'requests' must be a list of requests.", 'requests');
    if (new Set(Object.keys(item).map(camelName)).size < Object.keys(item).length) {
      return invalidRequest('A field is given twice, in two spellings.');
    }
    const request = camelFields(item);
    const named = request['model'];
    if (named != null && (typeof named !== 'string' || named.replace(/^models\//, '') !== model)) {
      return invalidRequest("The model of the address and the 'model' of the body differ.", 'model');
    }
    const size = request['outputDimensionality'];
    if (size != null && (!Number.isSafeInteger(size) || Number(size) < 1 || Number(size) > MAX_DIMENSIONS)) {
      const message = `'outputDimensionality' must be an integer from 1 to ${MAX_DIMENSIONS}.`;
      return invalidRequest(message, 'outputDimensionality');
    }
    const text = textOfContent(request['content']);
    if (text === undefined) return invalidRequest("'content' must hold parts with text.", 'content');
    inputs.push(text);
    dimensions ??= size == null ? undefined : Number(size);
    rest ??= keepUnknown(EMBED_FORMAT, request, KNOWN_FIELDS)?.[EMBED_FORMAT];
  }
  return ok({
    inputs,
    isList,
    ...(dimensions === undefined ? {} : { dimensions }),
    ...(rest === undefined ? {} : { vendorOptions: { [EMBED_FORMAT]: rest, [EMBED_BATCH_FORMAT]: rest } }),
  });
}

/** Undefined = it holds something that is no text. */
function textOfContent(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  const texts = listOf(documentOf(content)['parts']).map((part) => documentOf(part)['text']);
  const isAllText = texts.length > 0 && texts.every((text) => typeof text === 'string');
  return isAllText ? texts.join('\n') : undefined;
}
