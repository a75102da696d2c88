import type { ChatRequest, ReasoningRequest } from '../../model/chat.js';
import { defaultCapOfModel, modelRulesOf } from '../../formats/anthropic-messages/model-rules.js';
import { MESSAGES_FORMAT } from '../../formats/anthropic-messages/id.js';
import type { RequestEdits } from '../../formats/contract/api-format.js';
import type { ModelAdaptation, ProviderCall } from '../provider.js';

/** Effort endings of models that think by themselves. */
const EFFORT_ENDING = /-(low|medium|high|xhigh|max)$/;
const THINKING_ENDING = '-thinking';
/** A `-thinking` name answers with at least this many tokens. */
const MIN_THINKING_CAP = 1_280;
const MIN_BUDGET = 1_024;
/** Most tokens that a `-thinking` name takes the share for thinking of where the caller names no cap. */
const MAX_SHARED_CAP = 16_384;

type ModelEdits = Pick<
  RequestEdits,
  'dropStreamOptions' | 'usesCompletionCap' | 'refusedMembers' | 'defaultOutputCap' | 'marksPrefixes'
>;

/** The operator's output cap for calls without one; the setting of a base name also holds for its suffixes. */
export function claudeEdits(call: ProviderCall): ModelEdits {
  const { route, shape, options } = call;
  const caps = options.claude.defaultMaxTokens;
  const defaultOutputCap = caps[shape.model] ?? caps[route.upstreamModel] ?? caps['default'];
  return {
    dropStreamOptions: true,
    usesCompletionCap: false,
    refusedMembers: [],
    ...(defaultOutputCap === undefined ? {} : { defaultOutputCap }),
    ...cacheMarkEdits(call),
  };
}

/** Callers of Messages mark what they want cached themselves. */
export const cacheMarkEdits = ({ route, clientFormat }: ProviderCall): Pick<RequestEdits, 'marksPrefixes'> =>
  route.settings.vendor?.[CACHE_MARKS.name] === true && clientFormat !== MESSAGES_FORMAT
    ? { marksPrefixes: true }
    : {};

/** The switch of channels that serve Claude. */
export const CACHE_MARKS = { name: 'claude_cache_marks' } as const;

/**
 * Model names that ask for thinking: `-thinking` at every model that thinks, effort words at those that decide by
 * themselves how much. The body's own `thinking` wins over the name.
 */
export function adaptClaude(call: ProviderCall): ModelAdaptation<'chat'> | undefined {
  const { upstreamModel } = call.route;
  const effort = EFFORT_ENDING.exec(upstreamModel)?.[1];
  if (effort !== undefined) {
    const base = upstreamModel.slice(0, -effort.length - 1);
    if (!modelRulesOf(base).hasAdaptiveThinking) return undefined;
    return { upstreamModel: base, change: (request) => think(request, base, { effort, isDynamic: true }) };
  }
  if (!upstreamModel.endsWith(THINKING_ENDING) || !call.options.claude.isThinkingAdapterOn) return undefined;
  if (call.options.thinkingBlacklist?.includes(upstreamModel) === true) return undefined;
  const base = upstreamModel.slice(0, -THINKING_ENDING.length);
  const rules = modelRulesOf(base);
  if (!rules.takesSampling) {
    return {
      upstreamModel: base,
      change: (request) => think(request, base, { effort: 'high', isDynamic: true }),
    };
  }
  return {
    upstreamModel: base,
    change: (request) => {
      const { maxOutputTokens } = request;
      const cap = Math.max(MIN_THINKING_CAP, maxOutputTokens ?? Math.min(defaultCapOf(call), MAX_SHARED_CAP));
      const budgetTokens = Math.max(MIN_BUDGET, Math.floor(cap * call.options.claude.thinkingBudgetShare));
      const changed = think(request, base, { budgetTokens });
      return maxOutputTokens === undefined ? changed : { ...changed, maxOutputTokens: cap };
    },
  };
}

function defaultCapOf({ route, shape, options }: ProviderCall): number {
  const caps = options.claude.defaultMaxTokens;
  return (
    caps[shape.model] ??
    caps[route.upstreamModel] ??
    caps['default'] ??
    defaultCapOfModel(modelRulesOf(route.upstreamModel))
  );
}

/** @param reasoning  what the name asks for, unless the body asks for something */
function think(request: ChatRequest, model: string, reasoning: ReasoningRequest): ChatRequest {
  if (request.reasoning !== undefined) return request;
  // Models without sampling settings hide their thoughts unless the request wants them.
  const shown: Pick<ReasoningRequest, 'summary'> = modelRulesOf(model).takesSampling
    ? {}
    : { summary: 'auto' };
  return { ...request, reasoning: { ...reasoning, ...shown } };
}
