import { effortOf } from '../../../formats/shared/fields/reasoning-effort.js';
import { rerank } from '../../../formats/rerank/index.js';
import type { ImageRequest } from '../../../model/image.js';
import { OTHER_CHATS } from '../../shared/default-descriptions.js';
import { names } from '../../shared/model-names.js';
import type { CompatibleProfile } from '../compatible-profile.js';
import { pictureAddress, withImageFields } from '../media-operations.js';
import { type SuffixRule, withThinking } from '../model-suffixes.js';
import { type ReasoningEdit, thinkingType, upTo } from '../reasoning-edits.js';

const volcengineReasoning: ReasoningEdit = (request) => {
  const effort = effortOf(request.reasoning);
  return thinkingType(request, effort === undefined ? {} : { reasoning_effort: upTo(effort, 'high') });
};

/** `deepseek-…-thinking`. */
const volcengineSuffix: SuffixRule = (model) => {
  const name = /^(deepseek-.+)-thinking$/.exec(model)?.[1];
  return name === undefined ? undefined : { upstreamModel: name, change: withThinking };
};

/** `image` is an address or a list of them; several images have a member of their own. */
function volcengineImages(request: ImageRequest): ImageRequest {
  const sources = request.images.map(pictureAddress);
  const members: Record<string, unknown> = {};
  if (sources.length > 0) members['image'] = sources.length === 1 ? sources[0] : sources;
  if (request.count > 1) {
    members['sequential_image_generation'] = 'auto';
    members['sequential_image_generation_options'] = { max_images: request.count };
  }
  return withImageFields({ ...request, count: 1 }, members);
}

/** Volcano Engine Ark: the Doubao models. */
export const volcengine: CompatibleProfile = {
  id: 'volcengine',
  channelTypes: [{ code: 45, name: 'VolcEngine', form: { keyExample: 'API key' } }],
  defaultBaseUrl: 'https://ark.cn-beijing.volces.com',
  namedBases: { 'doubao-coding-plan': 'https://ark.cn-beijing.volces.com/api/coding/v3' },
  paths: { chat: '/api/v3/chat/completions', embed: '/api/v3/embeddings', models: '/api/v3/models' },
  pathFor: (path, { upstreamModel }) =>
    upstreamModel.startsWith('bot') ? path.replace('/v3/chat/', '/v3/bots/chat/') : path,
  probeAs: (model) => (model.includes('seedream') ? 'image' : undefined),
  defaultModels: names(`
    doubao-seed-1-6-thinking-250715 Doubao-pro-4k Doubao-pro-32k Doubao-pro-128k Doubao-lite-4k
    Doubao-lite-32k Doubao-lite-128k Doubao-embedding doubao-seedream-4-0-250828
  `),
  description: {
    source: {
      links: [
        'https://volcengine.com/docs/82379/1298454',
        'https://github.com/chumingjun/dsh-harness-one/issues/132',
        'https://github.com/looplj/axonhub/issues/1669',
      ],
      read: '2026-11-29',
    },
    instructions: { developer: false, place: 'head' },
    cap: 'max_tokens',
    user: { max: 128 },
    reasoning: ['thinking', 'reasoning_effort'],
    chats: OTHER_CHATS,
    responsesTools: {
      types: new Set(['web_search', 'mcp', 'image_process', 'knowledge_search', 'doubao_app']),
    },
  },
  chat: {
    history: 'open-round',
    plainJson: true,
    reasoning: volcengineReasoning,
    suffix: volcengineSuffix,
    responsesPath: '/api/v3/responses',
  },
  media: {
    generate: '/api/v3/images/generations',
    edit: '/api/v3/images/generations',
    editsInJson: true,
    changeImages: volcengineImages,
  },
  rank: { path: '/api/v3/rerank', apiFormat: rerank },
  // Ark has it in its coding plan only.
  messages: {
    namedBases: { 'doubao-coding-plan': 'https://ark.cn-beijing.volces.com/api/coding' },
  },
};
