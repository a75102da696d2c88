import type { ChatRequest } from '../../model/chat.js';
import type { ChatEdit } from './chat-edits.js';

/** Changes that a model name's suffix requests. */
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

export function withEffort(request: ChatRequest, effort: string): ChatRequest {
  return request.reasoning === undefined ? { ...request, reasoning: { effort } } : request;
}

export const withThinking: ChatEdit = (request) =>
  request.reasoning === undefined ? { ...request, reasoning: { isDynamic: true } } : request;
