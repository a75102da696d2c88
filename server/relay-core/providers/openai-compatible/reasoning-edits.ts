import type { ChatRequest } from '../../model/chat.js';
import { effortOf } from '../../formats/shared/fields/reasoning-effort.js';
import { withFields } from './chat-edits.js';

/** Writes what is asked of reasoning the way one vendor wants it. Pure. */
export type ReasoningEdit = (request: ChatRequest, model: string) => ChatRequest;

/** Whether reasoning is switched off; undefined = nothing is asked. */
function isOff(request: ChatRequest): boolean | undefined {
  const { reasoning } = request;
  if (reasoning === undefined) return undefined;
  if (reasoning.effort !== undefined) return reasoning.effort === 'none';
  if (reasoning.budgetTokens !== undefined) return reasoning.budgetTokens === 0;
  return reasoning.isDynamic === true ? false : undefined;
}

function written(request: ChatRequest, members: Readonly<Record<string, unknown>>): ChatRequest {
  const { reasoning: _reasoning, ...rest } = request;
  return withFields(rest, members);
}

const dropped = (request: ChatRequest): ChatRequest => written(request, {});

/** `thinking: {type}`: Zhipu, Volcengine, Kimi, and DeepSeek with an effort beside it. */
const thinkingType = (request: ChatRequest, more: Readonly<Record<string, unknown>> = {}): ChatRequest => {
  const off = isOff(request);
  if (off === undefined) return request;
  return written(
    request,
    off ? { thinking: { type: 'disabled' } } : { thinking: { type: 'enabled' }, ...more },
  );
};

export const deepseekReasoning: ReasoningEdit = (request, model) => {
  if (!/v[4-9]/i.test(model)) return dropped(request);
  const effort = effortOf(request.reasoning);
  if (effort === undefined) return thinkingType(request);
  return thinkingType(request, { reasoning_effort: effort === 'max' || effort === 'xhigh' ? 'max' : 'high' });
};

export const zhipuReasoning: ReasoningEdit = (request, model) => {
  const effort = effortOf(request.reasoning);
  const takesEffort = /^glm-(?:[5-9]|\d\d)/i.test(model) && effort !== undefined;
  return thinkingType(request, takesEffort ? { reasoning_effort: effort } : {});
};

export const volcengineReasoning: ReasoningEdit = (request) => {
  const effort = effortOf(request.reasoning);
  return thinkingType(request, effort === undefined ? {} : { reasoning_effort: upTo(effort, 'high') });
};

export const kimiReasoning: ReasoningEdit = (request, model) => {
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

/** `enable_thinking` and `thinking_budget`: Qwen at Ali and SiliconFlow. */
export const qwenReasoning: ReasoningEdit = (request) => {
  const off = isOff(request);
  if (off === undefined) return request;
  const budget = request.reasoning?.budgetTokens;
  if (off) return written(request, { enable_thinking: false });
  return written(request, {
    enable_thinking: true,
    ...(budget === undefined || budget === 0 ? {} : { thinking_budget: budget }),
  });
};

export const openrouterReasoning: ReasoningEdit = (request) => {
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

export const mistralReasoning: ReasoningEdit = (request, model) => {
  if (/^magistral/i.test(model))
    return isOff(request) === false ? written(request, { prompt_mode: 'reasoning' }) : dropped(request);
  const takesEffort = /^mistral-(?:small-(?:latest|2603)|medium-(?:3|latest))/i.test(model);
  const off = isOff(request);
  if (!takesEffort || off === undefined) return dropped(request);
  return written(request, { reasoning_effort: off ? 'none' : 'high' });
};

/** A name that says how it reasons refuses to be told. */
const isFixedGrok = (model: string): boolean =>
  /reasoning/i.test(model) || /^grok-(?:2|3(?!-mini)|4-0|code)/i.test(model);

/** The same at its Responses endpoint, where the effort has its own place. */
export const xaiResponsesReasoning: ReasoningEdit = (request, model) => {
  const { reasoning, ...rest } = request;
  const effort = effortOf(reasoning);
  if (reasoning === undefined || effort === undefined) return request;
  const { summary } = reasoning;
  const shown = summary === undefined ? {} : { summary };
  if (isFixedGrok(model)) return { ...rest, ...(summary === undefined ? {} : { reasoning: shown }) };
  return { ...rest, reasoning: { ...shown, effort: upTo(effort === 'minimal' ? 'low' : effort, 'high') } };
};

export const xaiReasoning: ReasoningEdit = (request, model) => {
  const effort = effortOf(request.reasoning);
  const isFixed = isFixedGrok(model);
  if (effort === undefined || isFixed) return dropped(request);
  if (effort === 'none') return written(request, /^grok-3/i.test(model) ? {} : { reasoning_effort: 'none' });
  if (/^grok-3/i.test(model))
    return written(request, { reasoning_effort: effort === 'low' || effort === 'minimal' ? 'low' : 'high' });
  return written(request, { reasoning_effort: upTo(effort === 'minimal' ? 'low' : effort, 'high') });
};

export const perplexityReasoning: ReasoningEdit = (request, model) => {
  const effort = effortOf(request.reasoning);
  return effort !== undefined && /reasoning|research/i.test(model)
    ? written(request, { reasoning_effort: upTo(effort === 'none' ? 'minimal' : effort, 'high') })
    : dropped(request);
};

/** Efforts OpenAI's own models take, by family. */
export const openaiReasoning: ReasoningEdit = (request, model) => {
  const { reasoning } = request;
  if (reasoning === undefined) return request;
  if (!/^(?:o[134]|gpt-5|gpt-oss|codex|computer-use)/i.test(model) || /^gpt-5(?:\.\d)?-chat/i.test(model)) {
    // Names of other vendors behind this type are left to them.
    return /^(?:gpt-|chatgpt|o\d|text-|davinci|babbage)/i.test(model) ? dropped(request) : request;
  }
  const asked = effortOf(reasoning);
  if (asked === undefined) return request;
  const { budgetTokens: _budget, isDynamic: _dynamic, ...rest } = reasoning;
  return { ...request, reasoning: { ...rest, effort: openaiEffort(asked, model) } };
};

function openaiEffort(effort: string, model: string): string {
  if (/^o[134]/i.test(model)) {
    if (effort === 'none' || effort === 'minimal') return 'low';
    return upTo(effort, 'high');
  }
  if (/^gpt-5(?:-|$)/i.test(model)) return effort === 'none' ? 'minimal' : upTo(effort, 'high');
  if (/^gpt-5\.1/i.test(model)) return effort === 'minimal' ? 'low' : upTo(effort, 'high');
  if (/^gpt-5/i.test(model)) return effort === 'minimal' ? 'low' : upTo(effort, 'xhigh');
  return upTo(effort, 'high');
}

const ORDER: readonly string[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/** The effort, but no more than `most`; words of a vendor's own stay. */
function upTo(effort: string, most: string): string {
  return ORDER.indexOf(effort) > ORDER.indexOf(most) ? most : effort;
}
