import { OTHER_CHATS, PLAIN_MESSAGES_TOOLS } from '../../shared/default-descriptions.js';
import { names } from '../../shared/model-names.js';
import type { CompatibleProfile } from '../compatible-profile.js';
import { dropped, isOff, type ReasoningEdit, written } from '../reasoning-edits.js';

const CHAT_FORMAT = 'openai-chat';

/**
 * M3 knows `adaptive` and `disabled`, and refuses every other word; the models before it always think.
 * https://github.com/CherryHQ/cherry-studio/issues/16431, https://github.com/anomalyco/models.dev/pull/2193 (read 2026-11-29).
 */
const minimaxReasoning: ReasoningEdit = (request, model) => {
  const off = isOff(request);
  const { thinking: _sent, reasoning_effort: _effort, ...own } = { ...request.vendorOptions?.[CHAT_FORMAT] };
  const plain = { ...request, vendorOptions: { ...request.vendorOptions, [CHAT_FORMAT]: own } };
  if (off === undefined || !/minimax-m(?:[3-9]|\d\d)/i.test(model)) return dropped(plain);
  return written(plain, { thinking: { type: off ? 'disabled' : 'adaptive' } });
};

/** MiniMax. */
export const minimax: CompatibleProfile = {
  id: 'minimax',
  channelTypes: [{ code: 35, name: 'MiniMax', form: { keyExample: 'API key' } }],
  defaultBaseUrl: 'https://api.minimax.chat',
  paths: { chat: '/v1/text/chatcompletion_v2' },
  defaultModels: names(`
    MiniMax-M2.7 MiniMax-M2.7-highspeed MiniMax-M2.5 MiniMax-M2.5-highspeed MiniMax-M2.1
    MiniMax-M2.1-highspeed MiniMax-M2
  `),
  messages: { path: '/anthropic/v1/messages' },
  description: {
    source: {
      links: [
        'https://github.com/BigPizzaV3/CodexPlusPlus/issues/267',
        'https://github.com/CherryHQ/cherry-studio/issues/16431',
        'https://github.com/NousResearch/hermes-agent/pull/46648',
        'https://github.com/QwenLM/qwen-code/issues/11834',
        'https://github.com/earendil-works/pi/issues/5468',
        'https://github.com/ding113/claude-code-hub/issues/1262',
        'https://github.com/MiniMax-AI/MiniMax-M2/issues/92',
        'https://github.com/cline/cline/pull/11202',
      ],
      read: '2026-11-29',
      restsOn: 'public threads with the vendor’s own refusals (2013)',
    },
    instructions: { developer: false, place: 'head' },
    cap: 'max_tokens',
    user: { max: 64 },
    reasoning: ['thinking'],
    // "function parameters is empty", "invalid function arguments json string" (2013)
    chats: { ...OTHER_CHATS, needsParameters: true, needsWholeArguments: true },
    // M3 sees images; the models before it take texts and calls.
    images: { textModels: /^minimax-m2(?:$|[.-])/i },
    messagesTools: PLAIN_MESSAGES_TOOLS,
  },
  chat: {
    history: 'all',
    signatures: true,
    plainJson: true,
    reasoning: minimaxReasoning,
    editedMembers: ['reasoning_effort', 'thinking'],
    members: { reasoning_split: true },
  },
};
