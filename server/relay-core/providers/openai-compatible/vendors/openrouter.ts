import { z } from 'zod';
import { amount, type BalanceReader } from '../../shared/balance.js';
import { OTHER_CHATS, USUAL_RESPONSES_TOOLS } from '../../shared/default-descriptions.js';
import { GATEWAY_CHAT } from '../chat-profiles.js';
import { OPENAI_SWITCHES } from '../../channel-form.js';
import { type CompatibleProfile, OPENAI_PATHS } from '../compatible-profile.js';
import { type SuffixRule, withThinking } from '../model-suffixes.js';
import { isOff, type ReasoningEdit, written } from '../reasoning-edits.js';

const openrouterReasoning: ReasoningEdit = (request) => {
  const { reasoning } = request;
  const off = isOff(request);
  if (reasoning === undefined || off === undefined) return request;
  if (off) return written(request, { reasoning: { enabled: false } });
  if (reasoning.budgetTokens !== undefined)
    return written(request, { reasoning: { max_tokens: reasoning.budgetTokens } });
  return written(request, {
    reasoning: { enabled: true, ...(reasoning.effort === undefined ? {} : { effort: reasoning.effort }) },
  });
};

/** `anthropic/claude-…-thinking`. */
const openrouterSuffix: SuffixRule = (model) => {
  const name = /^(.+)-thinking$/.exec(model)?.[1];
  // Some names end so by themselves.
  return name === undefined || /^(?:moonshotai|qwen|baidu|nousresearch)\//.test(name)
    ? undefined
    : { upstreamModel: name, change: withThinking };
};

const creditsSchema = z.object({ data: z.object({ total_credits: amount, total_usage: amount }) });

const readBalance: BalanceReader = async (get) => {
  const { data } = creditsSchema.parse(await get('/v1/credits'));
  return { amount: data.total_credits - data.total_usage, currency: 'USD' };
};

/** OpenRouter, a gateway to many vendors. */
export const openrouter: CompatibleProfile = {
  id: 'openrouter',
  channelTypes: [
    {
      code: 20,
      name: 'OpenRouter',
      form: { keyExample: 'sk-or-…', keyPrefixes: ['sk-or-'], switches: OPENAI_SWITCHES },
    },
  ],
  defaultBaseUrl: 'https://openrouter.ai/api',
  paths: OPENAI_PATHS,
  // It always reports usage.
  refusesStreamOptions: true,
  extraHeaders: () => ({ 'x-openrouter-title': 'Tollgate', 'x-title': 'Tollgate' }),
  balance: readBalance,
  defaultModels: [],
  description: {
    source: {
      links: ['https://github.com/ujisati/claude-code-provider-proxy/pull/11'],
      read: '2026-11-29',
      restsOn: 'recorded answers; it hands calls on to hosts with chat templates of their own',
    },
    // It knows `developer`, and hands calls on to hosts of models whose templates may not.
    instructions: { developer: false, place: 'head' },
    cap: 'either',
    user: { max: 128 },
    reasoning: ['reasoning'],
    chats: OTHER_CHATS,
    // Its own answers have `images`, and it takes them back.
    answersHoldImages: true,
    responsesTools: {
      types: new Set([...USUAL_RESPONSES_TOOLS.types, 'custom', 'local_shell', 'shell', 'apply_patch']),
    },
  },
  chat: {
    ...GATEWAY_CHAT,
    reasoning: openrouterReasoning,
    suffix: openrouterSuffix,
    opensFiles: true,
    members: { usage: { include: true } },
  },
};
