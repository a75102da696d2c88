import type { VendorDescription } from '../../model/vendor-description.js';
import { CONSERVATIVE } from '../shared/default-descriptions.js';
import { CHAT_ONLY, OTHER_VENDORS_MEMBERS, PLAIN_MESSAGE, type Preset, THREE_EFFORTS } from './preset.js';

function effortFor(model: string, asked: string): string | undefined {
  if (/llama/i.test(model)) return undefined;
  return asked === 'none' && !/gpt-oss/i.test(model) ? 'none' : (THREE_EFFORTS.get(asked) ?? asked);
}

const DESCRIPTION: VendorDescription = {
  ...CONSERVATIVE,
  messageMembers: PLAIN_MESSAGE,
  source: {
    links: [
      'https://github.com/proxysoul/Empryo/pull/209',
      'https://github.com/QwenLM/qwen-code/issues/11045',
      'https://github.com/mnfst/modelparams.dev/pull/115',
      'https://github.com/vercel/ai/issues/15042',
    ],
    read: '2026-11-29',
    restsOn: 'public threads with the vendor’s own refusals (wrong_api_format)',
  },
  cap: 'either',
  reasoning: ['reasoning_effort'],
  thoughts: 'reasoning',
};

/** Cerebras. */
export const cerebras: Preset = {
  id: 'cerebras',
  name: 'Cerebras',
  mark: 'Ce',
  type: 1,
  baseUrl: 'https://api.cerebras.ai',
  addressExample: '',
  paths: {},
  keyExample: 'csk-…',
  keyPrefix: 'csk-',
  models: ['gpt-oss-120b', 'llama3.1-8b'],
  description: {
    en: 'Open models at high speed on wafer-scale hardware.',
    zh: '晶圆级硬件上的高速开放模型。',
  },
  source: { page: 'https://inference-docs.cerebras.ai/resources/openai', notRead: CHAT_ONLY },
  chat: {
    describe: () => DESCRIPTION,
    refusedMembers: [...OTHER_VENDORS_MEMBERS, 'metadata'],
    effortFor,
  },
};
