import type { VendorDescription } from '../../model/vendor-description.js';
import { CONSERVATIVE } from '../shared/default-descriptions.js';
import { PLAIN_MESSAGE, type Preset, THREE_EFFORTS } from './preset.js';

/** "Extra inputs are not permitted, field: 'messages[1].reasoning_details'": thoughts go back as `reasoning_content` alone. */
const DESCRIPTION: VendorDescription = {
  ...CONSERVATIVE,
  messageMembers: new Set([...PLAIN_MESSAGE, 'reasoning_content'].filter((name) => name !== 'reasoning')),
  source: {
    links: ['https://github.com/BerriAI/litellm/pull/39962', 'https://github.com/BerriAI/litellm/pull/20334'],
    read: '2026-11-30',
    restsOn: 'public threads with the vendor’s own refusals of unknown members',
  },
  reasoning: ['reasoning_effort'],
};

/** Fireworks AI. */
export const fireworks: Preset = {
  id: 'fireworks',
  name: 'Fireworks AI',
  mark: 'Fw',
  type: 1,
  baseUrl: 'https://api.fireworks.ai/inference',
  addressExample: '',
  paths: { messages_path: '/v1/messages' },
  keyExample: 'fw_…',
  keyPrefix: 'fw_',
  models: ['accounts/fireworks/models/kimi-k2p5', 'accounts/fireworks/models/gpt-oss-120b'],
  takesTopK: true,
  description: {
    en: 'Open models on hosted hardware, with a Messages endpoint for Claude clients.',
    zh: '托管的开放模型，另有供 Claude 客户端使用的 Messages 接口。',
  },
  source: { page: 'https://docs.fireworks.ai/tools-sdks/anthropic-compatibility', day: '2026-11-29' },
  chat: {
    describe: () => DESCRIPTION,
    refusedMembers: [],
    effortFor: (_model, asked) => (asked === 'none' ? 'none' : (THREE_EFFORTS.get(asked) ?? asked)),
  },
};
