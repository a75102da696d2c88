import type { ChatRequest, Message } from '../../../model/chat.js';
import type { ContentPart } from '../../../model/content.js';
import { parseArguments } from './tool-arguments.js';

/** Replacement of a tool of plain text on formats whose tools take JSON arguments only. */
export const FREEFORM_PARAMETERS: Readonly<Record<string, unknown>> = Object.freeze({
  type: 'object',
  properties: { input: { type: 'string', description: 'The whole input of the tool, as plain text.' } },
  required: ['input'],
  additionalProperties: false,
});

/** The plain text inside arguments that were written for `FREEFORM_PARAMETERS`; other text is taken as it is. */
export function freeformInputOf(json: string): string {
  const input = parseArguments(json)?.['input'];
  return typeof input === 'string' ? input : json;
}

/** Names of the tools of a request that take plain text; undefined when there are none. */
export function freeformToolsOf(request: ChatRequest): ReadonlySet<string> | undefined {
  const names = (request.tools ?? []).flatMap((tool) =>
    tool.type === 'function' && tool.isFreeform === true ? [tool.name] : [],
  );
  return names.length === 0 ? undefined : new Set(names);
}

/** The request for a format or vendor without tools of plain text: they become functions with one text argument. */
export function withoutFreeformTools(request: ChatRequest): ChatRequest {
  const hasCalls = request.messages.some((message) => message.content.some(isFreeformCall));
  if (!hasCalls && freeformToolsOf(request) === undefined) return request;
  const tools = request.tools?.map((tool) => {
    if (tool.type !== 'function' || tool.isFreeform !== true) return tool;
    const { isFreeform: _isFreeform, vendorOptions: _vendorOptions, ...plain } = tool;
    return { ...plain, parameters: tool.parameters ?? FREEFORM_PARAMETERS };
  });
  return {
    ...request,
    messages: request.messages.map(withoutFreeformCalls),
    ...(tools === undefined ? {} : { tools }),
  };
}

const isFreeformCall = (part: ContentPart): boolean => part.type === 'tool-call' && part.isFreeform === true;

function withoutFreeformCalls(message: Message): Message {
  if (!message.content.some(isFreeformCall)) return message;
  const content = message.content.map((part): ContentPart => {
    if (part.type !== 'tool-call' || part.isFreeform !== true) return part;
    return { ...part, isFreeform: false, json: JSON.stringify({ input: part.json }) };
  });
  return { ...message, content };
}
