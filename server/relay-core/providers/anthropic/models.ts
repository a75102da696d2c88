import type { ChatRequest, ReasoningRequest } from '../../model/chat.js';
import { modelRulesOf } from '../../formats/anthropic-messages/model-rules.js';
import type { RequestEdits } from '../../formats/contract/api-format.js';
import type { ModelAdaptation, ProviderCall } from '../provider.js';

/** Effort endings of models that think by themselves. */
const EFFORT_ENDING = /-(low|medium|high|xhigh|max)$/;
const THINKING_ENDING = '-thinking';
/** A `-thinking` name answers with at least this many tokens. */
const MIN_THINKING_CAP = 1_280;
const MIN_BUDGET = 1_024;
const DEFAULT_CAP = 8_192;

type ModelEdits = Pick<
  RequestEdits,
  'dropStreamOptions' | 'usesCompletionCap' | 'refusedMembers' | 'defaultOutputCap'
>;

/** What the operator wants of calls that name no cap; the base name's setting also counts for its endings. */
export function claudeEdits({ route, shape, options }: ProviderCall): ModelEdits {
  const caps = options.claude.defaultMaxTokens;
  const defaultOutputCap = caps[shape.model] ?? caps[route.upstreamModel] ?? caps['default'];
  return {
    dropStreamOptions: true,
    usesCompletionCap: false,
    refusedMembers: [],
    ...(defaultOutputCap === undefined ? {} : { defaultOutputCap }),
  };
}

/**
 * Model names that ask for thinking: `-thinking` at every model that thinks, effort words at those that decide by
 * themselves how much. What the body says about thinking wins over the name.
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
      const cap = capOf(request, call);
      const budgetTokens = Math.max(MIN_BUDGET, Math.floor(cap * call.options.claude.thinkingBudgetShare));
      return { ...think(request, base, { budgetTokens }), maxOutputTokens: cap };
    },
  };
}

function capOf(request: ChatRequest, { route, shape, options }: ProviderCall): number {
  const caps = options.claude.defaultMaxTokens;
  const wanted =
    request.maxOutputTokens ??
    caps[shape.model] ??
    caps[route.upstreamModel] ??
    caps['default'] ??
    DEFAULT_CAP;
  return Math.max(MIN_THINKING_CAP, wanted);
}

/** @param reasoning  what the name asks for, unless the body asks for something */
function think(request: ChatRequest, model: string, reasoning: ReasoningRequest): ChatRequest {
  if (request.reasoning !== undefined) return request;
  // Models without sampling settings hide their thoughts unless they are asked for them.
  const shown: Pick<ReasoningRequest, 'summary'> = modelRulesOf(model).takesSampling
    ? {}
    : { summary: 'auto' };
  return { ...request, reasoning: { ...reasoning, ...shown } };
}
