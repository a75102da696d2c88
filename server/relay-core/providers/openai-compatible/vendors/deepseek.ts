import { z } from 'zod';
import { amount, type BalanceReader } from '../../shared/balance.js';
import { effortOf } from '../../../formats/shared/fields/reasoning-effort.js';
import { OTHER_CHATS } from '../../shared/default-descriptions.js';
import { names } from '../../shared/model-names.js';
import { describeSchemaInPrompt } from '../chat-edits.js';
import type { CompatibleProfile } from '../compatible-profile.js';
import { type SuffixRule, withEffort } from '../model-suffixes.js';
import { dropped, type ReasoningEdit, thinkingType } from '../reasoning-edits.js';

const deepseekReasoning: ReasoningEdit = (request, model) => {
  if (!/v[4-9]/i.test(model)) return dropped(request);
  const effort = effortOf(request.reasoning);
  if (effort === undefined) return thinkingType(request);
  return thinkingType(request, { reasoning_effort: effort === 'max' || effort === 'xhigh' ? 'max' : 'high' });
};

/** `deepseek-v4-pro-none`, `deepseek-v4-flash-max`. */
const deepseekSuffix: SuffixRule = (model) => {
  const [, name, effort] = /^(deepseek-v[4-9].*)-(none|max)$/.exec(model) ?? [];
  return name === undefined || effort === undefined
    ? undefined
    : { upstreamModel: name, change: (request) => withEffort(request, effort) };
};

const balanceSchema = z.object({
  balance_infos: z.array(z.object({ currency: z.string(), total_balance: amount })).min(1),
});

/** The dollar account when there is one, else the one in yuan. */
const readBalance: BalanceReader = async (get) => {
  const { balance_infos: accounts } = balanceSchema.parse(await get('/user/balance'));
  const dollars = accounts.find((account) => account.currency === 'USD');
  if (dollars !== undefined) return { amount: dollars.total_balance, currency: 'USD' };
  const yuan = accounts.find((account) => account.currency === 'CNY');
  if (yuan === undefined) throw new Error('no account in dollars or yuan');
  return { amount: yuan.total_balance, currency: 'CNY' };
};

/** DeepSeek. */
export const deepseek: CompatibleProfile = {
  id: 'deepseek',
  channelTypes: [{ code: 43, name: 'DeepSeek' }],
  defaultBaseUrl: 'https://api.deepseek.com',
  ownPath: /(?<!\/v\d+)\/responses$|\/beta\/completions$/,
  paths: { chat: '/v1/chat/completions', models: '/v1/models' },
  balance: readBalance,
  defaultModels: names(`
    deepseek-chat deepseek-reasoner deepseek-v4-flash deepseek-v4-pro
  `),
  description: {
    source: {
      links: [
        'https://api-docs.deepseek.com/zh-cn/quick_start/rate_limit/',
        'https://github.com/losesky/ai-auto-trading/issues/14',
        'https://github.com/farion1231/cc-switch/issues/3281',
        'https://github.com/anthropics/claude-code/issues/56643',
        'https://github.com/UKGovernmentBEIS/inspect_ai/issues/4916',
        'https://github.com/deepseek-ai/DeepSeek-V3/issues/1376',
        'https://github.com/maximhq/bifrost/issues/3456',
        'https://github.com/deepseek-ai/awesome-deepseek-integration/issues/598',
        'https://github.com/rikkahub/rikkahub/issues/1433',
        'https://github.com/can1357/oh-my-pi/pull/9169',
        'https://github.com/NousResearch/hermes-agent/pull/18263',
        'https://github.com/Astro-Han/pawwork/pull/261',
      ],
      read: '2026-11-29',
    },
    instructions: { developer: false, place: 'head' },
    cap: 'max_tokens',
    user: { max: 512, isToken: true },
    reasoning: ['thinking', 'reasoning_effort'],
    // "Thinking mode does not support this tool_choice"
    refusesBareRounds: true,
    thinkingChoices: { byDefault: /v[4-9]/i, always: /reasoner/i },
    // "The `reasoning_content` in the thinking mode must be passed back to the API"
    chats: { ...OTHER_CHATS, joinsTexts: true, needsThoughts: /v[4-9]/i },
    // "unknown variant `image_url`, expected `text`"
    images: { textModels: /^deepseek-(?:chat|reasoner|coder|v[34])(?:$|-)/i },
    // "unknown variant `custom`, expected `web_search_20250305` or `web_search_20260209`"
    messagesTools: {
      ownTypes: /^web_search_20(?:250305|260209)$/,
      members: new Set(['name', 'description', 'input_schema', 'cache_control']),
    },
    responsesTools: { types: new Set() },
  },
  chat: {
    history: 'open-round',
    plainJson: true,
    reasoning: deepseekReasoning,
    suffix: deepseekSuffix,
    // It refuses schemas: "This response_format type is unavailable now".
    edit: describeSchemaInPrompt,
    editedMembers: ['reasoning_effort', 'response_format'],
    completionsPath: '/beta/completions',
    responsesPath: '/responses',
  },
  messages: { path: '/anthropic/v1/messages' },
};
