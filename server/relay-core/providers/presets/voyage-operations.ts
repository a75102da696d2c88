import { orderedVectors, vectorReplies } from '../../formats/shared/embeddings/embed-reply.js';
import { refuseTokenInputs, textsOf } from '../../formats/shared/embeddings/vector-encoding.js';
import { given } from '../../formats/shared/fields/json-fields.js';
import {
  leftOut,
  passThroughFields,
  writtenBody,
} from '../../formats/shared/requests/drop-refused-members.js';
import { spliceFields } from '../../framing/json-splice.js';
import type { UpstreamFormat } from '../../formats/contract/api-format.js';
import { siliconflowRerank } from '../../formats/rerank/index.js';
import type { Operation } from '../../model/operation.js';
import type { Route } from '../../ports/channel-picker.js';
import type { Provider, ProviderOperation } from '../provider.js';
import { presetOf } from './presets.js';
import { voyage } from './voyage.js';

const EMBED_FIELDS = ['input_type', 'truncation', 'output_dtype'] as const;
const RERANK_FIELDS = ['truncation'] as const;

/** Voyage's embeddings: OpenAI's answer, with another name for the size and no member that it does not know. */
export const voyageEmbed: UpstreamFormat<'embed'> = {
  id: 'voyage-embed',
  spliceRequest: ({ document }, edits) => spliceFields(document, new Map([['model', edits.upstreamModel]])),
  writeRequest: (request, edits) => {
    const body = {
      model: edits.upstreamModel,
      input: textsOf(request),
      ...given('output_dimension', request.dimensions),
      ...passThroughFields(request, EMBED_FIELDS),
    };
    return writtenBody(edits, body, leftOut(request, EMBED_FIELDS));
  },
  refuseRequest: refuseTokenInputs,
  ...vectorReplies({ vectors: ['data'], tokens: ['usage', 'total_tokens'] }, (document) =>
    orderedVectors(document['data']),
  ),
};

/** Voyage's rankings: results stand in `data`, and `top_k` limits their number. */
export const voyageRerank: UpstreamFormat<'rerank'> = {
  ...siliconflowRerank,
  id: 'voyage-rerank',
  writeRequest: (request, edits) => {
    const body = {
      model: edits.upstreamModel,
      query: request.query,
      documents: request.documents,
      ...given('top_k', request.topN),
      return_documents: request.returnsDocuments,
      ...passThroughFields(request, RERANK_FIELDS),
    };
    return writtenBody(edits, body, leftOut(request, RERANK_FIELDS));
  },
};

type Build = <O extends Operation>(path: string, apiFormat: UpstreamFormat<O>) => ProviderOperation<O>;

/**
 * Operations of channels whose preset differs from their type; undefined = those of the type.
 * @param build  builds one operation at a path of the channel
 */
export function presetOperations(build: Build): (route: Route) => Provider['operations'] | undefined {
  const operations = {
    embed: [build('/v1/embeddings', voyageEmbed)],
    rerank: [build('/v1/rerank', voyageRerank)],
  };
  return (route) => (presetOf(route) === voyage ? operations : undefined);
}
