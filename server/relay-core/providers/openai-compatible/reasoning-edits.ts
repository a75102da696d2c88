import type { ChatRequest } from '../../model/chat.js';
import { REASONING_SWITCHES } from '../../formats/openai-chat/reasoning-switches.js';
import { effortOf } from '../../formats/shared/fields/reasoning-effort.js';
import { withFields } from './chat-edits.js';

/** Writes the reasoning settings in one vendor's form. Pure. */
export type ReasoningEdit = (request: ChatRequest, model: string) => ChatRequest;

/** True when reasoning is switched off; undefined = not given. */
export function isOff(request: ChatRequest): boolean | undefined {
  const { reasoning } = request;
  if (reasoning === undefined) return undefined;
  if (reasoning.effort !== undefined) return reasoning.effort === 'none';
  if (reasoning.budgetTokens !== undefined) return reasoning.budgetTokens === 0;
  return reasoning.isDynamic === true ? false : undefined;
}

export function written(request: ChatRequest, members: Readonly<Record<string, unknown>>): ChatRequest {
  const { reasoning: _reasoning, ...rest } = request;
  return withFields(rest, members);
}

export const dropped = (request: ChatRequest): ChatRequest => written(request, {});

/** Members of a chat that ask for reasoning, in the words of any vendor. */
export const REASONING_MEMBERS: readonly string[] = ['reasoning_effort', ...REASONING_SWITCHES];

/** `reasoning_effort` in a word of the vendor and none of the members that ask for reasoning. @param wordFor  undefined = none is taken */
export function effortInWords(
  request: ChatRequest,
  wordFor: (effort: string) => string | undefined,
): ChatRequest {
  const effort = effortOf(request.reasoning);
  const word = effort === undefined ? undefined : wordFor(effort);
  const { reasoning: _reasoning, vendorOptions, ...rest } = request;
  const { 'openai-chat': options = {}, ...others } = vendorOptions ?? {};
  const own = Object.fromEntries(
    Object.entries(options).filter(([name]) => !REASONING_MEMBERS.includes(name)),
  );
  return {
    ...rest,
    vendorOptions: { ...others, 'openai-chat': own },
    ...(word === undefined ? {} : { reasoning: { effort: word } }),
  };
}

/** `thinking: {type}`: Zhipu, Volcengine, Kimi, and DeepSeek with an effort beside it. */
export const thinkingType = (
  request: ChatRequest,
  more: Readonly<Record<string, unknown>> = {},
): ChatRequest => {
  const off = isOff(request);
  if (off === undefined) return request;
  return written(
    request,
    off ? { thinking: { type: 'disabled' } } : { thinking: { type: 'enabled' }, ...more },
  );
};

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
export function upTo(effort: string, most: string): string {
  return ORDER.indexOf(effort) > ORDER.indexOf(most) ? most : effort;
}
