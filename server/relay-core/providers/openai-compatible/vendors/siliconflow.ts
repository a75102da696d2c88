import { z } from 'zod';
import { amount, type BalanceReader } from '../../shared/balance.js';
import { siliconflowRerank } from '../../../formats/rerank/index.js';
import type { ImageRequest } from '../../../model/image.js';
import { CONSERVATIVE, notRead } from '../../shared/default-descriptions.js';
import { names } from '../../shared/model-names.js';
import { type CompatibleProfile, OPENAI_PATHS } from '../compatible-profile.js';
import { pictureAddress, withImageFields } from '../media-operations.js';
import { qwenReasoning } from '../reasoning-edits.js';

/** `size` is `image_size`, `n` is `batch_size`, images are `image`, `image2`, `image3`. */
function siliconFlowImages(request: ImageRequest): ImageRequest {
  const { size, ...rest } = request;
  const members: Record<string, unknown> = {};
  if (size !== undefined) members['image_size'] = size;
  if (request.count > 1) members['batch_size'] = request.count;
  for (const [index, source] of request.images.entries())
    members[index === 0 ? 'image' : `image${index + 1}`] = pictureAddress(source);
  return withImageFields({ ...rest, count: 1 }, members);
}

const OK_CODE = 20_000;

const accountSchema = z.object({
  code: z.literal(OK_CODE),
  data: z.object({ totalBalance: amount }),
});

const readBalance: BalanceReader = async (get) => {
  const { data } = accountSchema.parse(await get('/v1/user/info'));
  return { amount: data.totalBalance, currency: 'CNY' };
};

/** SiliconFlow. */
export const siliconflow: CompatibleProfile = {
  id: 'siliconflow',
  channelTypes: [{ code: 40, name: 'SiliconFlow' }],
  defaultBaseUrl: 'https://api.siliconflow.cn',
  paths: OPENAI_PATHS,
  balance: readBalance,
  defaultModels: names(`
    deepseek-ai/DeepSeek-V3 deepseek-ai/DeepSeek-R1 Qwen/Qwen3-235B-A22B BAAI/bge-m3
  `),
  description: {
    ...CONSERVATIVE,
    source: notRead('the models’ own hosts'),
    reasoning: ['enable_thinking', 'thinking_budget'],
  },
  itemBounds: { embed: [{ most: 32, source: 'not read; the figure of its page for BAAI models' }] },
  chat: {
    history: 'open-round',
    reasoning: qwenReasoning,
    editedMembers: ['reasoning_effort'],
    completionsPath: '/v1/completions',
  },
  media: {
    generate: '/v1/images/generations',
    edit: '/v1/images/generations',
    editsInJson: true,
    speak: '/v1/audio/speech',
    transcribe: '/v1/audio/transcriptions',
    changeImages: siliconFlowImages,
  },
  rank: { path: '/v1/rerank', apiFormat: siliconflowRerank },
};
