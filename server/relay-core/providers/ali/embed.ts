import { orderedVectors, vectorReplies } from '../../formats/shared/embeddings/embed-reply.js';
import { documentOf } from '../../formats/shared/fields/json-fields.js';
import { leftOut } from '../../formats/shared/requests/drop-refused-members.js';
import { refuseTokenInputs } from '../../formats/shared/embeddings/vector-encoding.js';
import type { UpstreamFormat } from '../../formats/contract/api-format.js';

const IMAGE_ADDRESS = /^(?:https?:\/\/\S+\.(?:png|jpe?g|webp|bmp|gif|tiff?)(?:\?\S*)?|data:image\/)/i;
const VIDEO_ADDRESS = /^https?:\/\/\S+\.(?:mp4|mov|avi|mpeg|webm)(?:\?\S*)?$/i;
const PARAMETERS: readonly string[] = ['fps', 'output_type', 'instruct', 'res_level', 'enable_fusion'];

/**
 * DashScope's multimodal embeddings: https://help.aliyun.com/zh/model-studio/multimodal-embedding-api-reference (read
 * 2026-11-21). The address of an image or a video stands for its content.
 */
export const aliMultimodalEmbed: UpstreamFormat<'embed'> = {
  id: 'ali-multimodal-embed',
  spliceRequest: ({ document }) => document.bytes,
  writeRequest: (request, edits) => {
    const extras: Record<string, unknown> = Object.assign({}, ...Object.values(request.vendorOptions ?? {}));
    const parameters: Record<string, unknown> = {};
    for (const name of PARAMETERS) if (extras[name] !== undefined) parameters[name] = extras[name];
    if (request.dimensions !== undefined) parameters['dimension'] = request.dimensions;
    const body: Record<string, unknown> = {
      model: edits.upstreamModel,
      input: { contents: request.inputs.map(contentOf) },
      ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
    };
    return { body: Buffer.from(JSON.stringify(body)), warnings: leftOut(request, PARAMETERS) };
  },
  refuseRequest: refuseTokenInputs,
  ...vectorReplies({ vectors: ['output'], tokens: ['usage', 'input_tokens'] }, (document) =>
    orderedVectors(documentOf(document['output'])['embeddings']),
  ),
};

function contentOf(input: string | readonly number[]): Readonly<Record<string, unknown>> {
  if (typeof input !== 'string') return { text: '' };
  if (IMAGE_ADDRESS.test(input)) return { image: input };
  return VIDEO_ADDRESS.test(input) ? { video: input } : { text: input };
}
