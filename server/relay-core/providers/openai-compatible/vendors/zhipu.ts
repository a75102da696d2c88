import { effortOf } from '../../../formats/shared/fields/reasoning-effort.js';
import { OTHER_CHATS } from '../../shared/default-descriptions.js';
import { names } from '../../shared/model-names.js';
import { openRangeOfTopP } from '../chat-edits.js';
import type { CompatibleProfile } from '../compatible-profile.js';
import { type ReasoningEdit, thinkingType } from '../reasoning-edits.js';

const zhipuReasoning: ReasoningEdit = (request, model) => {
  const effort = effortOf(request.reasoning);
  const takesEffort = /^glm-(?:[5-9]|\d\d)/i.test(model) && effort !== undefined;
  return thinkingType(request, takesEffort ? { reasoning_effort: effort } : {});
};

/** Zhipu, also called Z.ai: the GLM models. */
export const zhipu: CompatibleProfile = {
  id: 'zhipu-v4',
  channelTypes: [{ code: 26, name: 'Zhipu', form: { keyFormat: 'id_secret', keyExample: 'id.secret' } }],
  defaultBaseUrl: 'https://open.bigmodel.cn',
  namedBases: {
    'glm-coding-plan': 'https://open.bigmodel.cn/api/coding/paas/v4',
    'glm-coding-plan-international': 'https://api.z.ai/api/coding/paas/v4',
  },
  paths: {
    chat: '/api/paas/v4/chat/completions',
    embed: '/api/paas/v4/embeddings',
    models: '/api/paas/v4/models',
  },
  defaultModels: names(`
    glm-5 glm-4.7 glm-4.7-flash glm-4.6 glm-4.6v glm-4-plus glm-4-air glm-4-airx glm-4-long
    glm-4-flash glm-4v-plus glm-4v glm-4-alltools glm-4
  `),
  description: {
    source: {
      links: [
        'https://github.com/openclaw/openclaw/issues/23115',
        'https://github.com/vastsa/PI-Desktop/issues/30',
        'https://github.com/looplj/axonhub/issues/1669',
        'https://github.com/BerriAI/litellm/issues/3736',
        'https://github.com/zai-org/feedback/issues/172',
        'https://github.com/BigPizzaV3/CodexPlusPlus/issues/1760',
        'https://github.com/anomalyco/opencode/issues/2944',
        'https://github.com/justrach/codegraff/issues/812',
      ],
      read: '2026-11-29',
      restsOn: 'public threads with the vendor’s own refusals (1214, length of `user_id`)',
    },
    instructions: { developer: false, place: 'head' },
    cap: 'max_tokens',
    user: { max: 128, min: 6, member: 'user_id' },
    reasoning: ['thinking', 'reasoning_effort'],
    toolChoices: ['auto'],
    // "content and tool_calls fields can't both be empty" (1214)
    chats: { ...OTHER_CHATS, dropsEmptyTexts: true },
    // "messages.content.type", only 'text' (1210); vision has names of its own: 4.6v, 5v, and 5.3
    images: { textModels: /^glm-(?:4(?:\.[5-7])?|5(?:\.[12])?)(?:$|-)/i },
  },
  itemBounds: { embed: [{ most: 64, source: 'not read; the figure of its page for embedding-3' }] },
  chat: {
    history: 'open-round',
    plainJson: true,
    search: { tool: { type: 'web_search', web_search: { enable: true, search_result: true } } },
    reasoning: zhipuReasoning,
    edit: openRangeOfTopP,
    editedMembers: ['reasoning_effort', 'top_p'],
  },
  media: {
    generate: '/api/paas/v4/images/generations',
    speak: '/api/paas/v4/audio/speech',
    transcribe: '/api/paas/v4/audio/transcriptions',
  },
  messages: {
    path: '/api/anthropic/v1/messages',
    namedBases: {
      'glm-coding-plan': 'https://open.bigmodel.cn/api/anthropic',
      'glm-coding-plan-international': 'https://api.z.ai/api/anthropic',
    },
  },
};
