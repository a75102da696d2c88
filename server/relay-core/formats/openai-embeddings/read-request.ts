import { ok, type Result } from '../../../common/result.js';
import type { EmbeddingInput, EmbeddingRequest } from '../../model/embedding.js';
import type { RelayError } from '../../model/relay-error.js';
import { keepUnknown } from '../../model/vendor-options.js';
import { invalidBody } from '../shared/fields/schema-fault.js';
import { EMBEDDINGS_FORMAT } from './id.js';
import { embeddingRequestSchema, KNOWN_FIELDS } from './schema.js';

/** Body → neutral request. Fails: invalid-request, with the path of the first field at fault. */
export function readEmbeddingRequest(body: unknown): Result<EmbeddingRequest, RelayError> {
  const parsed = embeddingRequestSchema.safeParse(body);
  if (!parsed.success) return invalidBody(parsed.error);
  const { input, dimensions, encoding_format: encoding, user } = parsed.data;
  const isList = Array.isArray(input) && typeof input[0] !== 'number';
  const vendorOptions = keepUnknown(EMBEDDINGS_FORMAT, parsed.data, KNOWN_FIELDS);
  return ok({
    inputs: isList ? (input as readonly EmbeddingInput[]) : [input as EmbeddingInput],
    isList,
    ...(dimensions == null ? {} : { dimensions }),
    ...(encoding == null ? {} : { encoding }),
    ...(user == null ? {} : { user }),
    ...(vendorOptions === undefined ? {} : { vendorOptions }),
  });
}
