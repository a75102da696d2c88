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
  /** `max_tokens` where a budget stands on top of the room for the answer; undefined = as given. */
  readonly maxTokens?: number;
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
/** The same for calls without a cap: on top of the room for the answer. */
const OPEN_BUDGETS: ReadonlyMap<string, number> = new Map([
  ['xhigh', 16_384],
  ['max', 32_000],
]);
const EFFORTS: ReadonlySet<string> = new Set(['low', 'medium', 'high', 'xhigh', 'max']);

interface PlanInput {
  readonly request: ChatRequest;
  readonly rules: ModelRules;
  readonly maxTokens: number;
  /** True without a cap of the caller: `maxTokens` is room for the answer, and a budget may stand on top of it. */
  readonly isOpen: boolean;
  /** The caller forces a tool, or the answer's format does. */
  readonly isToolForced: boolean;
  readonly warnings: Warning[];
}

/**
 * Thinking settings for the model. A setting that conflicts with the rest of the request is given up with a
 * warning: a refused call helps no caller.
 */
export function planThinking(input: PlanInput): ThinkingPlan {
  const asSent = thinkingAsSent(input.request.reasoning);
  const plan = asSent === undefined ? planFromNeutral(input) : fitToModel(planAsSent(asSent), input);
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

/**
 * Returns true for thinking in a form that the model refuses: clients send one form to all models, and the older ones refuse efforts and
 * adaptive thinking with a 400. https://github.com/diegosouzapw/OmniRoute/pull/4713 (read 2026-11-29).
 */
export function refusesThinking({ efforts, hasAdaptiveThinking }: ModelRules, sent: ThinkingAsSent): boolean {
  if (efforts === undefined) return false;
  const { effort, thinking } = sent;
  if (typeof effort === 'string' && !efforts.includes(effort)) return true;
  return !hasAdaptiveThinking && isAdaptive(thinking);
}

const isAdaptive = (thinking: unknown): boolean =>
  (thinking as { readonly type?: unknown } | null | undefined)?.type === 'adaptive';

const RISING: readonly string[] = ['low', 'medium', 'high', 'xhigh', 'max'];

/** The highest effort of the model that is not above the one asked for, else its lowest; undefined = it has none. */
function nearestEffort(effort: string, efforts: readonly string[]): string | undefined {
  const wanted = RISING.indexOf(effort === 'minimal' ? 'low' : effort);
  return efforts.findLast((one) => RISING.indexOf(one) <= wanted) ?? efforts[0];
}

/** The plan of a caller of this format, as the model takes it. */
function fitToModel(plan: ThinkingPlan, { rules, maxTokens, warnings }: PlanInput): ThinkingPlan {
  if (!refusesThinking(rules, plan)) return plan;
  const { efforts = [] } = rules;
  const effort = plan.effort === undefined ? undefined : nearestEffort(plan.effort, efforts);
  if (rules.hasAdaptiveThinking || !isAdaptive(plan.thinking)) {
    if (effort === undefined) warnings.push({ setting: 'effort', reason: 'this model has no efforts' });
    return { ...plan, effort };
  }
  const budget = rules.hasBudgetThinking
    ? fitBudget(budgetOf(plan.effort ?? 'high', maxTokens, false), maxTokens)
    : undefined;
  if (budget !== undefined)
    return { thinking: { type: 'enabled', budget_tokens: budget }, effort, isOn: true };
  warnings.push({ setting: 'reasoning', reason: 'this model does not think in a call of this size' });
  return { thinking: undefined, effort, isOn: false };
}

const OFF: ThinkingPlan = { thinking: undefined, effort: undefined, isOn: false };

function planFromNeutral({ request, rules, maxTokens, isOpen, warnings }: PlanInput): ThinkingPlan {
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
  // A caller that asks to see thoughts asks for thinking.
  if (asksNothing && summary === 'none' && !rules.hasAdaptiveThinking) return OFF;
  if (!rules.hasBudgetThinking) {
    warnings.push({ setting: 'reasoning', reason: 'this model does not think' });
    return OFF;
  }
  const wanted = budgetTokens ?? budgetOf(effort, maxTokens, isOpen);
  const most = isOpen ? Math.min(maxTokens + wanted, rules.maxOutputTokens ?? maxTokens) : maxTokens;
  const budget = fitBudget(wanted, most);
  if (budget === undefined) {
    warnings.push({ setting: 'reasoning', reason: 'the output cap leaves no room for thinking' });
    return OFF;
  }
  // Older models show their thoughts by default.
  const shown = rules.hasAdaptiveThinking || summary === 'none' ? display : {};
  const thinking = { type: 'enabled', budget_tokens: budget, ...shown };
  return { thinking, effort: undefined, isOn: true, maxTokens: most };
}

/** No thinking: models that always think get the least they take. */
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

function budgetOf(effort: string | undefined, maxTokens: number, isOpen: boolean): number {
  const open = isOpen ? OPEN_BUDGETS.get(effort ?? '') : undefined;
  if (open !== undefined) return open;
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
 * Returns true when the running turn began with the model's own signed thoughts. In a turn that calls tools the vendor insists on
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
