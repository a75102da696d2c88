import { spliceFields } from '../../framing/json-splice.js';
import type { Warning } from '../../model/warning.js';
import { cohereVectors, vectorReplies } from '../../formats/shared/embeddings/embed-reply.js';
import { given } from '../../formats/shared/fields/json-fields.js';
import { warnOfUnsupported } from '../../formats/shared/fields/dropped-fields.js';
import { refuseTokenInputs, textsOf } from '../../formats/shared/embeddings/vector-encoding.js';
import type { UpstreamFormat } from '../../formats/contract/api-format.js';
import {
  passThroughFields,
  warnOfLeftOut,
  writtenBody,
} from '../../formats/shared/requests/drop-refused-members.js';

/** Members a caller of any format may give for this vendor by their own names. */
const CALLERS_FIELDS = ['input_type', 'truncate', 'priority'] as const;

/** Cohere's embedding grammar, version 2: https://docs.cohere.com/reference/embed (read 2026-11-21). */
export const cohereEmbed: UpstreamFormat<'embed'> = {
  id: 'cohere-embed',
  spliceRequest: ({ document }, edits) => spliceFields(document, new Map([['model', edits.upstreamModel]])),
  writeRequest: (request, edits) => {
    const warnings: Warning[] = [];
    warnOfUnsupported({ user: request.user }, 'Cohere', warnings);
    warnOfLeftOut(request, CALLERS_FIELDS, warnings);
    const body = {
      model: edits.upstreamModel,
      texts: textsOf(request),
      input_type: 'search_document',
      embedding_types: ['float'],
      ...given('output_dimension', request.dimensions),
      ...passThroughFields(request, CALLERS_FIELDS),
    };
    return writtenBody(edits, body, warnings);
  },
  refuseRequest: refuseTokenInputs,
  ...vectorReplies(
    { vectors: ['embeddings'], tokens: ['meta', 'billed_units', 'input_tokens'] },
    cohereVectors,
  ),
};
