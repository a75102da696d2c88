import type { VendorDescription } from '../../model/vendor-description.js';
import { CONSERVATIVE } from '../shared/default-descriptions.js';
import {
  CHAT_ONLY,
  OTHER_VENDORS_MEMBERS,
  PLAIN_MESSAGE,
  type Preset,
  type PresetChat,
  THREE_EFFORTS,
} from './preset.js';

const GPT_OSS = /gpt-oss/i;
const QWEN = /qwen-?3/i;

/** Its other models refuse thoughts and efforts of any kind. */
const reasons = (model: string): boolean => GPT_OSS.test(model) || QWEN.test(model);

function effortFor(model: string, asked: string): string | undefined {
  if (QWEN.test(model)) return asked === 'none' ? 'none' : 'default';
  return GPT_OSS.test(model) ? (THREE_EFFORTS.get(asked) ?? asked) : undefined;
}

const DESCRIPTION: VendorDescription = {
  ...CONSERVATIVE,
  messageMembers: PLAIN_MESSAGE,
  source: {
    links: [
      'https://github.com/tashfeenahmed/freellmapi/issues/1070',
      'https://github.com/vercel/ai/pull/8057',
      'https://github.com/earendil-works/pi/issues/1745',
      'https://github.com/musistudio/llms/pull/64',
      'https://github.com/ServiceStack/llms/issues/17',
    ],
    read: '2026-11-29',
    restsOn: 'public threads with the vendor’s own refusals of unknown members',
  },
  cap: 'either',
  reasoning: ['reasoning_effort'],
};

/** Its Responses endpoint: roles and tools as its chats, and tools that it runs itself. */
const RESPONSES: NonNullable<PresetChat['responses']> = {
  description: {
    ...CONSERVATIVE,
    source: {
      links: ['https://console.groq.com/docs/responses-api'],
      restsOn: 'its list of unsupported members as operators quote it',
    },
    cap: 'either',
    reasoning: ['reasoning'],
    responsesTools: { types: new Set(['browser_search', 'code_interpreter', 'mcp']) },
  },
  refusedMembers: [
    'previous_response_id',
    'store',
    'truncation',
    'include',
    'safety_identifier',
    'prompt_cache_key',
    'prompt_cache_retention',
    'prompt',
    'conversation',
    'background',
    'max_tool_calls',
  ],
};

/** Groq. */
export const groq: Preset = {
  id: 'groq',
  name: 'Groq',
  mark: 'Gq',
  type: 1,
  baseUrl: 'https://api.groq.com/openai',
  addressExample: '',
  paths: {},
  keyExample: 'gsk_…',
  keyPrefix: 'gsk_',
  models: [
    'openai/gpt-oss-120b',
    'openai/gpt-oss-20b',
    'llama-3.3-70b-versatile',
    'llama-3.1-8b-instant',
    'whisper-large-v3-turbo',
  ],
  description: {
    en: 'Open models at high speed: chat and transcription.',
    zh: '高速开放模型：对话与语音转写。',
  },
  source: { page: 'https://console.groq.com/docs/openai', notRead: CHAT_ONLY },
  chat: {
    describe: (model) => ({ ...DESCRIPTION, thoughts: reasons(model) ? 'reasoning' : 'none' }),
    refusedMembers: [...OTHER_VENDORS_MEMBERS, 'logprobs', 'top_logprobs', 'logit_bias'],
    responses: RESPONSES,
    effortFor,
  },
};
