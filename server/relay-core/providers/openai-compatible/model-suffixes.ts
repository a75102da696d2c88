import type { ChatRequest } from '../../model/chat.js';
import { withFields, type ChatEdit } from './chat-edits.js';

/** What the end of a model's name asks for. */
export interface NamedAdaptation {
  readonly upstreamModel: string;
  readonly change: ChatEdit;
}

/** Undefined = the name is only a name. */
export type SuffixRule = (model: string) => NamedAdaptation | undefined;

const EFFORT = /^((?:o[134]|gpt-5)(?:[.-].*?)?)-(high|medium|low|minimal|none|xhigh)$/;

/** `o3-mini-high`, `gpt-5.1-none`. The body wins over the name. */
export const openaiSuffix: SuffixRule = (model) => {
  const [, name, effort] = EFFORT.exec(model) ?? [];
  return name === undefined || effort === undefined
    ? undefined
    : { upstreamModel: name, change: (request) => withEffort(request, effort) };
};

function withEffort(request: ChatRequest, effort: string): ChatRequest {
  return request.reasoning === undefined ? { ...request, reasoning: { effort } } : request;
}

/** `deepseek-v4-pro-none`, `deepseek-v4-flash-max`. */
export const deepseekSuffix: SuffixRule = (model) => {
  const [, name, effort] = /^(deepseek-v[4-9].*)-(none|max)$/.exec(model) ?? [];
  return name === undefined || effort === undefined
    ? undefined
    : { upstreamModel: name, change: (request) => withEffort(request, effort) };
};

/** `grok-3-mini-high`, `…-search`. */
export const xaiSuffix: SuffixRule = (model) => {
  const [, name, effort] = /^(grok-3-mini)-(high|low)$/.exec(model) ?? [];
  if (name !== undefined && effort !== undefined)
    return { upstreamModel: name, change: (request) => withEffort(request, effort) };
  const searched = /^(grok-.+)-search$/.exec(model)?.[1];
  return searched === undefined
    ? undefined
    : {
        upstreamModel: searched,
        change: (request) => withFields(request, { search_parameters: { mode: 'on' } }),
      };
};

const withThinking: ChatEdit = (request) =>
  request.reasoning === undefined ? { ...request, reasoning: { isDynamic: true } } : request;

/** `anthropic/claude-…-thinking`. */
export const openrouterSuffix: SuffixRule = (model) => {
  const name = /^(.+)-thinking$/.exec(model)?.[1];
  // Some names end so by themselves.
  return name === undefined || /^(?:moonshotai|qwen|baidu|nousresearch)\//.test(name)
    ? undefined
    : { upstreamModel: name, change: withThinking };
};

/** `deepseek-…-thinking`. */
export const volcengineSuffix: SuffixRule = (model) => {
  const name = /^(deepseek-.+)-thinking$/.exec(model)?.[1];
  return name === undefined ? undefined : { upstreamModel: name, change: withThinking };
};

const BAIDU_SEARCH = {
  web_search: { enable: true, enable_citation: true, enable_trace: true, enable_status: false },
};

/** `ernie-…-search`. */
export const baiduSuffix: SuffixRule = (model) => {
  const name = /^(.+)-search$/.exec(model)?.[1];
  return name === undefined
    ? undefined
    : { upstreamModel: name, change: (request) => withFields(request, BAIDU_SEARCH) };
};

/** `qwen-…-internet`. */
export const aliSuffix: SuffixRule = (model) => {
  const name = /^(.+)-internet$/.exec(model)?.[1];
  return name === undefined
    ? undefined
    : { upstreamModel: name, change: (request) => withFields(request, { enable_search: true }) };
};
