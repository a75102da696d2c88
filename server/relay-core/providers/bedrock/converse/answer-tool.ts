import type { ChatRequest } from '../../../model/chat.js';

/**
 * Name of the tool a bound answer is asked by: its input is the answer. Undefined when the
 * answer is free. A tool of the caller's own is never taken for it.
 */
export function answerToolOf(request: Pick<ChatRequest, 'responseFormat' | 'tools'>): string | undefined {
  if (request.responseFormat?.type !== 'json-schema') return undefined;
  const taken = new Set((request.tools ?? []).map((tool) => (tool.type === 'function' ? tool.name : '')));
  let name = 'json';
  while (taken.has(name)) name += '_answer';
  return name;
}
