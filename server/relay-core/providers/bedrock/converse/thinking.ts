import type { ChatRequest, ReasoningRequest } from '../../../model/chat.js';
import type { Warning } from '../../../model/warning.js';
import { effortOf } from '../../../formats/shared/fields/reasoning-effort.js';
import { familyOf, isGptOss, isNovaReasoning, thinksAdaptively } from './model-family.js';

/** Members of `additionalModelRequestFields`, and what thinking changes beside them. */
export interface Thinking {
  readonly fields: Readonly<Record<string, unknown>>;
  /** Claude thinks: sampling settings and forced tools are refused, and the budget is part of the output cap. */
  readonly isClaudeThinking: boolean;
  readonly budgetTokens: number;
  /** Nova thinks so much that it takes no output cap. */
  readonly dropsCap: boolean;
}

const NO_THINKING: Thinking = { fields: {}, isClaudeThinking: false, budgetTokens: 0, dropsCap: false };
/** Smallest budget Claude takes. */
const MIN_BUDGET = 1_024;
/** Largest share of an output cap that may be thought. */
const BUDGET_SHARE = 0.8;
/** Budgets of an effort for Claude models that take a number of tokens. */
const BUDGETS: ReadonlyMap<string, number> = new Map([
  ['minimal', MIN_BUDGET],
  ['low', 1_280],
  ['medium', 2_048],
  ['high', 4_096],
  ['xhigh', 8_192],
  ['max', 16_384],
]);
const CLAUDE_EFFORTS: ReadonlySet<string> = new Set(['low', 'medium', 'high', 'xhigh', 'max']);

/**
 * Translates a request for thinking to this model.
 * @param cap  output tokens of the answer, thoughts included; undefined = no bound
 */
export function writeThinking(
  request: ChatRequest,
  model: string,
  cap: number | undefined,
  warnings: Warning[],
): Thinking {
  const { reasoning } = request;
  if (reasoning === undefined) return NO_THINKING;
  const isOff = reasoning.effort === 'none' || reasoning.budgetTokens === 0;
  const family = familyOf(model);
  if (family === 'anthropic') return isOff ? NO_THINKING : claude(request, reasoning, model, cap, warnings);
  const effort = effortOf(reasoning);
  if (family === 'openai') {
    if (effort === undefined || isOff) return NO_THINKING;
    const plain = effort === 'minimal' ? 'low' : effort === 'xhigh' || effort === 'max' ? 'high' : effort;
    const fields = isGptOss(model) ? { reasoning_effort: plain } : { reasoning: { effort } };
    return { ...NO_THINKING, fields };
  }
  if (isNovaReasoning(model)) {
    if (isOff) return { ...NO_THINKING, fields: { reasoningConfig: { type: 'disabled' } } };
    const level =
      effort === undefined || effort === 'minimal'
        ? 'low'
        : ['xhigh', 'max'].includes(effort)
          ? 'high'
          : effort;
    return {
      ...NO_THINKING,
      fields: { reasoningConfig: { type: 'enabled', maxReasoningEffort: level } },
      dropsCap: level === 'high',
    };
  }
  if (!isOff) warnings.push({ setting: 'reasoning', reason: 'how much this model thinks cannot be set' });
  return NO_THINKING;
}

function claude(
  request: ChatRequest,
  reasoning: ReasoningRequest,
  model: string,
  cap: number | undefined,
  warnings: Warning[],
): Thinking {
  const { effort, budgetTokens: asked, isDynamic, summary } = reasoning;
  const asksNothing = effort === undefined && asked === undefined && isDynamic !== true;
  // A request to see thoughts is a request to think; without either there are none.
  if (asksNothing && (summary === undefined || summary === 'none') && !thinksAdaptively(model))
    return NO_THINKING;
  if (lacksThoughts(request)) {
    warnings.push({
      setting: 'reasoning',
      reason:
        'thinking is off for this turn, because the tool calls before it came back without their thoughts',
    });
    return NO_THINKING;
  }
  if (thinksAdaptively(model)) {
    const word = effortOf(reasoning);
    const display = summary === undefined || summary === 'none' ? {} : { display: 'summarized' };
    return {
      fields: {
        thinking: { type: 'adaptive', ...display },
        ...(word === undefined ? {} : { output_config: { effort: claudeEffort(word) } }),
      },
      isClaudeThinking: true,
      budgetTokens: 0,
      dropsCap: false,
    };
  }
  const wanted = asked ?? BUDGETS.get(effort ?? 'medium') ?? MIN_BUDGET;
  // The caller's cap bounds thoughts and answer together; the vendor wants the budget to be smaller.
  if (cap !== undefined && cap <= MIN_BUDGET) {
    warnings.push({ setting: 'reasoning', reason: 'the output cap leaves no room to think' });
    return NO_THINKING;
  }
  const room = cap === undefined ? wanted : Math.min(wanted, Math.floor(cap * BUDGET_SHARE));
  const budgetTokens = Math.max(MIN_BUDGET, room);
  return {
    fields: { thinking: { type: 'enabled', budget_tokens: budgetTokens } },
    isClaudeThinking: true,
    budgetTokens,
    dropsCap: false,
  };
}

const claudeEffort = (effort: string): string => (CLAUDE_EFFORTS.has(effort) ? effort : 'low');

/**
 * Claude thinks on only where the tool calls it goes on from came back with their thoughts; clients that know no such
 * field drop them.
 */
function lacksThoughts(request: ChatRequest): boolean {
  const { messages } = request;
  if (messages.at(-1)?.role !== 'tool') return false;
  let hasCalls = false;
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const message = messages[at];
    if (message === undefined || message.role === 'user') break;
    if (message.role !== 'assistant') continue;
    if (message.content.some((part) => part.type === 'reasoning' && part.signature?.by === 'anthropic'))
      return false;
    hasCalls ||= message.content.some((part) => part.type === 'tool-call');
  }
  return hasCalls;
}
