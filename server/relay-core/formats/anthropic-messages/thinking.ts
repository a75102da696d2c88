import type { ChatRequest, Message } from '../../model/chat.js';
import type { Warning } from '../../model/warning.js';
import type { ModelRules } from './model-rules.js';
import { thinkingAsSent, type ThinkingAsSent } from './read-request.js';

/** Thinking as this format asks for it. */
export interface ThinkingPlan {
  readonly thinking: unknown;
  /** `output_config.effort`. */
  readonly effort: string | undefined;
  readonly isOn: boolean;
}

/** Smallest budget the vendor takes, and how much must be left for the answer itself. */
const MIN_BUDGET_TOKENS = 1_024;
const MIN_ANSWER_TOKENS = 256;

/** Budgets of efforts where a model has no efforts, the higher ones by share of the cap. */
const EFFORT_BUDGETS: ReadonlyMap<string, number> = new Map([
  ['minimal', 1_024],
  ['low', 1_280],
  ['medium', 2_048],
  ['high', 4_096],
]);
const EFFORT_SHARES: ReadonlyMap<string, number> = new Map([
  ['xhigh', 0.9],
  ['max', 0.95],
]);
const EFFORTS: ReadonlySet<string> = new Set(['low', 'medium', 'high', 'xhigh', 'max']);

interface PlanInput {
  readonly request: ChatRequest;
  readonly rules: ModelRules;
  readonly maxTokens: number;
  /** The caller forces a tool, or the answer's format does. */
  readonly isToolForced: boolean;
  readonly warnings: Warning[];
}

/**
 * How the model is asked to think. Whatever cannot be had together with the rest of the request is given up with a
 * warning: a refused call helps nobody.
 */
export function planThinking(input: PlanInput): ThinkingPlan {
  const asSent = thinkingAsSent(input.request.reasoning);
  const plan = asSent === undefined ? planFromNeutral(input) : planAsSent(asSent);
  if (!plan.isOn) return plan;
  const obstacle = thinkingConflict(input, plan);
  if (obstacle === undefined) return plan;
  input.warnings.push({ setting: 'reasoning', reason: obstacle });
  return { thinking: undefined, effort: plan.effort, isOn: false };
}

function planAsSent({ thinking, effort }: ThinkingAsSent): ThinkingPlan {
  const type = (thinking as { readonly type?: unknown } | null | undefined)?.type;
  return {
    thinking: thinking ?? undefined,
    effort: typeof effort === 'string' ? effort : undefined,
    isOn: type !== undefined && type !== 'disabled',
  };
}

const OFF: ThinkingPlan = { thinking: undefined, effort: undefined, isOn: false };

function planFromNeutral({ request, rules, maxTokens, warnings }: PlanInput): ThinkingPlan {
  const { reasoning } = request;
  if (reasoning === undefined) return OFF;
  const { effort, budgetTokens, isDynamic, summary } = reasoning;
  const display = summary === undefined ? {} : { display: summary === 'none' ? 'omitted' : 'summarized' };
  if (effort === 'none' || (effort === undefined && budgetTokens === 0)) return stop(rules, warnings);
  const asksNothing = effort === undefined && budgetTokens === undefined && isDynamic !== true;
  if (asksNothing && summary === undefined) return OFF;
  if (rules.hasAdaptiveThinking && (budgetTokens === undefined || !rules.hasBudgetThinking)) {
    return { thinking: { type: 'adaptive', ...display }, effort: effortLevel(effort, rules), isOn: true };
  }
  // Who asks to see thoughts asks for them.
  if (asksNothing && summary === 'none' && !rules.hasAdaptiveThinking) return OFF;
  if (!rules.hasBudgetThinking) {
    warnings.push({ setting: 'reasoning', reason: 'this model does not think' });
    return OFF;
  }
  const budget = fitBudget(budgetTokens ?? budgetOf(effort, maxTokens), maxTokens);
  if (budget === undefined) {
    warnings.push({ setting: 'reasoning', reason: 'the output cap leaves no room for thinking' });
    return OFF;
  }
  // Older models show their thoughts unless told not to.
  const shown = rules.hasAdaptiveThinking || summary === 'none' ? display : {};
  return { thinking: { type: 'enabled', budget_tokens: budget, ...shown }, effort: undefined, isOn: true };
}

/** No thinking: models that always think are asked for as little as they can. */
function stop(rules: ModelRules, warnings: Warning[]): ThinkingPlan {
  if (rules.canStopThinking) {
    return rules.hasBudgetThinking || rules.hasAdaptiveThinking
      ? { thinking: { type: 'disabled' }, effort: undefined, isOn: false }
      : OFF;
  }
  warnings.push({ setting: 'reasoning', reason: 'this model always thinks; it is asked to think little' });
  return { thinking: { type: 'adaptive' }, effort: 'low', isOn: true };
}

/** The model's word for an effort; words it does not know become the nearest one. */
function effortLevel(effort: string | undefined, rules: ModelRules): string | undefined {
  if (effort === undefined) return undefined;
  if (effort === 'minimal') return 'low';
  if (effort === 'xhigh' && !rules.hasExtraHighEffort) return 'high';
  return EFFORTS.has(effort) ? effort : undefined;
}

function budgetOf(effort: string | undefined, maxTokens: number): number {
  const share = EFFORT_SHARES.get(effort ?? '');
  return share === undefined
    ? (EFFORT_BUDGETS.get(effort ?? 'medium') ?? MIN_BUDGET_TOKENS)
    : Math.floor(maxTokens * share);
}

/** A budget must be below the cap and at least the vendor's least; undefined = no budget fits. */
function fitBudget(budget: number, maxTokens: number): number | undefined {
  const most = maxTokens - MIN_ANSWER_TOKENS;
  return most < MIN_BUDGET_TOKENS ? undefined : Math.max(MIN_BUDGET_TOKENS, Math.min(budget, most));
}

function thinkingConflict(
  { request, rules, isToolForced }: PlanInput,
  plan: ThinkingPlan,
): string | undefined {
  if (!rules.canStopThinking) return undefined;
  if (isToolForced) return 'a forced tool and thinking exclude each other at this vendor';
  const isBudgeted = (plan.thinking as { readonly type?: unknown }).type === 'enabled';
  if (isBudgeted && !mayContinueThinking(request)) {
    return 'the conversation lacks the signed thoughts this vendor asks for in the turn that used tools';
  }
  return undefined;
}

/**
 * Whether the running turn began with the model's own signed thoughts. In a turn that calls tools the vendor insists on
 * them; clients of other dialects, and turns other vendors answered, do not have them.
 */
function mayContinueThinking({ messages }: ChatRequest): boolean {
  let at = messages.length - 1;
  while (at > 0 && messages[at]?.role === 'user') at -= 1;
  if (messages[at]?.role !== 'tool') return true;
  let first: Message | undefined;
  for (; at >= 0; at -= 1) {
    const message = messages[at];
    if (message?.role === 'assistant') first = message;
    else if (message?.role !== 'tool') break;
  }
  const start = first?.content.find((part) => part.type !== 'text' || part.text.trim() !== '');
  return start?.type === 'reasoning' && start.signature?.by === 'anthropic';
}
