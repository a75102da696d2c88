import { spliceFields } from '../../framing/json-splice.js';
import { vectorReplies } from '../../formats/shared/embeddings/embed-reply.js';
import { given, listOf } from '../../formats/shared/fields/json-fields.js';
import { refuseTokenInputs, textsOf } from '../../formats/shared/embeddings/vector-encoding.js';
import type { UpstreamFormat } from '../../formats/contract/api-format.js';
import {
  leftOut,
  passThroughFields,
  writtenBody,
} from '../../formats/shared/requests/drop-refused-members.js';

/** Members a caller of any format may give for this vendor by their own names. */
const CALLERS_FIELDS = ['truncate', 'options', 'keep_alive'] as const;

/** Ollama's own embedding grammar, `/api/embed`: https://docs.ollama.com/api/embed (read 2026-11-21). */
export const ollamaEmbed: UpstreamFormat<'embed'> = {
  id: 'ollama-embed',
  spliceRequest: ({ document }, edits) => spliceFields(document, new Map([['model', edits.upstreamModel]])),
  writeRequest: (request, edits) => {
    const body = {
      model: edits.upstreamModel,
      input: textsOf(request),
      ...given('dimensions', request.dimensions),
      ...passThroughFields(request, CALLERS_FIELDS),
    };
    return writtenBody(edits, body, leftOut(request, CALLERS_FIELDS));
  },
  refuseRequest: refuseTokenInputs,
  ...vectorReplies({ vectors: ['embeddings'], tokens: ['prompt_eval_count'] }, ({ embeddings }) =>
    listOf(embeddings),
  ),
};
