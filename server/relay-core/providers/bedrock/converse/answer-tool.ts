import type { ChatRequest } from '../../../model/chat.js';

/**
 * Name of the tool that returns a structured answer as its input. Undefined when the answer has no
 * required form. It never equals the name of a caller's tool.
 */
export function answerToolOf(request: Pick<ChatRequest, 'responseFormat' | 'tools'>): string | undefined {
  if (request.responseFormat?.type !== 'json-schema') return undefined;
  const taken = new Set((request.tools ?? []).map((tool) => (tool.type === 'function' ? tool.name : '')));
  let name = 'json';
  while (taken.has(name)) name += '_answer';
  return name;
}
