import { kimiSchema } from './kimi-schema.js';
import { z } from 'zod';
import { amount, type BalanceReader } from '../../shared/balance.js';
import { effortOf } from '../../../formats/shared/fields/reasoning-effort.js';
import { OTHER_CHATS, PLAIN_MESSAGES_TOOLS } from '../../shared/default-descriptions.js';
import { names } from '../../shared/model-names.js';
import { type CompatibleProfile, OPENAI_PATHS, PLAIN_RANK } from '../compatible-profile.js';
import { dropped, type ReasoningEdit, thinkingType, written } from '../reasoning-edits.js';

const kimiReasoning: ReasoningEdit = (request, model) => {
  const effort = effortOf(request.reasoning);
  if (/^kimi-k[3-9]/i.test(model)) {
    if (effort === undefined) return request;
    return written(
      request,
      effort === 'none' ? {} : { reasoning_effort: KIMI_EFFORTS.get(effort) ?? 'high' },
    );
  }
  // A model that thinks by its name, or does not at all.
  if (!/^kimi-k2\.[5-9]/i.test(model)) return dropped(request);
  const budget = request.reasoning?.budgetTokens;
  return budget === undefined || budget === 0
    ? thinkingType(request)
    : written(request, { thinking: { type: 'enabled', budget_tokens: Math.max(1_024, budget) } });
};
const KIMI_EFFORTS: ReadonlyMap<string, string> = new Map([
  ['minimal', 'low'],
  ['low', 'low'],
  ['medium', 'high'],
  ['high', 'high'],
  ['xhigh', 'max'],
  ['max', 'max'],
]);

const balanceSchema = z.object({ data: z.object({ available_balance: amount }) });

const readBalance: BalanceReader = async (get) => {
  const { data } = balanceSchema.parse(await get('/v1/users/me/balance'));
  return { amount: data.available_balance, currency: 'CNY' };
};

/** Moonshot AI: the Kimi models. */
export const moonshot: CompatibleProfile = {
  id: 'moonshot',
  channelTypes: [{ code: 25, name: 'Moonshot' }],
  defaultBaseUrl: 'https://api.moonshot.cn',
  namedBases: { 'kimi-coding-plan': 'https://api.kimi.com/coding/v1' },
  paths: OPENAI_PATHS,
  balance: readBalance,
  defaultModels: names(`
    kimi-k3 kimi-k2.7-code kimi-k2.6 kimi-k2.5 kimi-k2-0905-preview kimi-k2-turbo-preview
    kimi-k2-thinking kimi-k2-thinking-turbo moonshot-v1-8k moonshot-v1-32k moonshot-v1-128k
  `),
  description: {
    source: {
      links: [
        'https://platform.kimi.ai/docs/api/chat.md',
        'https://github.com/langgenius/dify/pull/2596',
        'https://github.com/can1357/oh-my-pi/issues/1077',
        'https://github.com/UKGovernmentBEIS/inspect_ai/pull/5152',
        'https://github.com/mnfst/modelparams.dev/pull/168',
        'https://platform.moonshot.ai/docs/guide/use-kimi-vision-model',
        'https://github.com/MoonshotAI/Kimi-K2/issues/58',
        'https://github.com/NousResearch/hermes-agent/pull/17065',
        'https://github.com/anomalyco/models.dev/pull/7607',
        'https://github.com/anomalyco/opencode/issues/39995',
      ],
      read: '2026-11-29',
    },
    instructions: { developer: false, place: 'head' },
    cap: 'either',
    user: { max: 32 },
    reasoning: ['thinking', 'reasoning_effort'],
    // "tool_choice 'required' is incompatible with thinking enabled": all but K3.
    refusesBareRounds: true,
    thinkingChoices: { byDefault: /^kimi-k2\.[56]/i, always: /^kimi-k2(?:\.[7-9]|-thinking)/i },
    // "thinking is enabled but reasoning_content is missing in assistant tool call message at index 3"
    // "the reasoning_details at position 2 entry 0 must not contain streaming index"
    chats: {
      ...OTHER_CHATS,
      needsThoughts: /^kimi-k(?:2\.[5-9]|2-thinking|[3-9])/i,
      refusesDetailIndex: true,
    },
    // Its page names the models that see: K2.5 and later, and `moonshot-v1-*-vision-preview`.
    // Its guide to images shows data URLs and `ms://` ids alone.
    images: { textModels: /^(?:kimi-k2(?:$|-)|moonshot-v1-(?!.*vision))/i, bytesOnly: true },
    toolSchema: kimiSchema,
    // https://github.com/MoonshotAI/kimi-cli/issues/2531
    toolsBeginWithLetter: true,
    messagesTools: PLAIN_MESSAGES_TOOLS,
  },
  chat: {
    history: 'open-round',
    plainJson: true,
    fileSchemes: ['ms'],
    reasoning: kimiReasoning,
    editedMembers: ['reasoning_effort'],
    completionsPath: '/v1/completions',
  },
  rank: PLAIN_RANK,
  messages: {
    path: '/anthropic/v1/messages',
    namedBases: { 'kimi-coding-plan': 'https://api.kimi.com/coding' },
  },
};
