import type { ChatRequest, Message } from '../../model/chat.js';
import type { ContentPart } from '../../model/content.js';
import type { Tool } from '../../model/tool.js';
import { withoutFreeformTools } from '../../formats/shared/fields/freeform-tools.js';

/** A change of a request before it is written for a vendor. Pure. */
export type ChatEdit = (request: ChatRequest) => ChatRequest;

/** Which of a turn's thoughts a vendor wants to see again. */
export type ReasoningHistory = 'all' | 'open-round' | 'none';

/** What a vendor of the chat format takes of what other dialects bring. */
export interface ChatProfile {
  /** `open-round`: what was thought since the user last spoke, for tools under way. */
  readonly history: ReasoningHistory;
  /** Signatures of reasoning go back (`reasoning_details`). */
  readonly signatures?: true;
  /** Google's signature beside a call (`extra_content`) is looked at: by Gemini models, behind whatever address. */
  readonly callSignatures?: true;
  /** Marks of the prompt cache are understood. */
  readonly cacheMarks?: true;
  /** Tools that take plain text are understood. */
  readonly freeformTools?: true;
  /** How a search is asked for: as this format does, by a tool or members of the vendor's own; absent = not at all. */
  readonly search?:
    | 'web_search_options'
    | { readonly tool: unknown }
    | { readonly members: Readonly<Record<string, unknown>> };
  /** OpenAI's own members (`store`, `metadata`, `prompt_cache_key`, …) are understood; strict look-alikes refuse them. */
  readonly platformMembers?: true;
  /** Answers in a form are JSON without a schema: it is told in words. */
  readonly plainJson?: true;
}

const CHAT_FORMAT = 'openai-chat';

/** Fits a request of another dialect to what the vendor takes. */
export function fitToVendor(request: ChatRequest, profile: ChatProfile): ChatRequest {
  let fitted = fitHistory(request, profile);
  if (profile.freeformTools !== true) fitted = withoutFreeformTools(fitted);
  if (profile.cacheMarks !== true) fitted = withoutCacheMarks(fitted);
  if (profile.platformMembers !== true) fitted = withoutPlatformFields(fitted);
  fitted = fitSearch(fitted, profile.search);
  return profile.plainJson === true ? describeSchemaInPrompt(fitted) : fitted;
}

function fitHistory(request: ChatRequest, profile: ChatProfile): ChatRequest {
  const lastUser = request.messages.findLastIndex(({ role }) => role === 'user');
  const messages = request.messages.map((message, index): Message => {
    const isKept = profile.history === 'all' || (profile.history === 'open-round' && index > lastUser);
    if (
      !message.content.some(
        (part) => part.type === 'reasoning' || ('signature' in part && part.signature !== undefined),
      )
    )
      return message;
    const content = message.content.flatMap((part): readonly ContentPart[] => {
      if (part.type === 'reasoning' && !isKept) return [];
      const isTaken = part.type === 'tool-call' ? profile.callSignatures : profile.signatures;
      return [isTaken === true ? part : withoutSignature(part)];
    });
    return { ...message, content };
  });
  return { ...request, messages };
}

function withoutSignature(part: ContentPart): ContentPart {
  if (part.type === 'vendor' || part.signature === undefined) return part;
  const { signature: _signature, ...plain } = part;
  return plain;
}

function withoutCacheMarks(request: ChatRequest): ChatRequest {
  const messages = request.messages.map((message): Message => {
    if (!message.content.some((part) => part.type !== 'vendor' && part.cache !== undefined)) return message;
    return { ...message, content: message.content.map(withoutCacheMark) };
  });
  const tools = request.tools?.map((tool): Tool => {
    if (tool.type !== 'function' || tool.cache === undefined) return tool;
    const { cache: _cache, ...plain } = tool;
    return plain;
  });
  return { ...request, messages, ...(tools === undefined ? {} : { tools }) };
}

function withoutCacheMark(part: ContentPart): ContentPart {
  if (part.type === 'vendor' || part.cache === undefined) return part;
  const { cache: _cache, ...plain } = part;
  return plain;
}

/** What the Responses format shares with OpenAI's chats, and other vendors' chats do not have. */
const PLATFORM_FIELDS: ReadonlySet<string> = new Set([
  'metadata',
  'store',
  'prompt_cache_key',
  'prompt_cache_retention',
  'safety_identifier',
  'text',
]);

/** Under a name no format has, they are left out with a warning. */
function withoutPlatformFields(request: ChatRequest): ChatRequest {
  const own = request.vendorOptions?.['openai-responses'];
  if (own === undefined) return request;
  const kept: Record<string, unknown> = {};
  const left: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(own)) {
    // Nothing is stored anywhere else anyway.
    if (name === 'store' && value === false) continue;
    (PLATFORM_FIELDS.has(name) ? left : kept)[name] = value;
  }
  const { 'openai-responses': _own, ...others } = request.vendorOptions ?? {};
  return {
    ...request,
    vendorOptions: {
      ...others,
      ...(Object.keys(kept).length === 0 ? {} : { 'openai-responses': kept }),
      ...(Object.keys(left).length === 0 ? {} : { 'OpenAI platform': left }),
    },
  };
}

function fitSearch(request: ChatRequest, search: ChatProfile['search']): ChatRequest {
  if (search === 'web_search_options' || request.tools?.some(({ type }) => type === 'web-search') !== true)
    return request;
  if (search !== undefined && 'members' in search) {
    const tools = request.tools.filter(({ type }) => type !== 'web-search');
    return withFields({ ...request, tools }, search.members);
  }
  // As a tool nobody here knows, it is left out with a warning.
  const apiFormat = search === undefined ? 'web-search' : CHAT_FORMAT;
  const tools = request.tools.map((tool): Tool =>
    tool.type === 'web-search' ? { type: 'vendor', apiFormat, value: search?.tool ?? tool } : tool,
  );
  return { ...request, tools };
}

/** JSON without a schema: the schema is told in words, which is all such vendors offer. */
function describeSchemaInPrompt(request: ChatRequest): ChatRequest {
  const format = request.responseFormat;
  if (format?.type !== 'json-schema') return request;
  const text = `Answer with one JSON object and nothing else. It must fit this JSON schema: ${JSON.stringify(format.schema)}`;
  const told: Message = { role: 'system', content: [{ type: 'text', text }] };
  return { ...request, responseFormat: { type: 'json' }, messages: [told, ...request.messages] };
}

/** Members of the vendor's own in the body; what the caller gave himself stays. */
export function withFields(request: ChatRequest, members: Readonly<Record<string, unknown>>): ChatRequest {
  const own = { ...members, ...request.vendorOptions?.[CHAT_FORMAT] };
  return { ...request, vendorOptions: { ...request.vendorOptions, [CHAT_FORMAT]: own } };
}

/** Ranges that are open at their ends (Zhipu, Ali). */
export function openRangeOfTopP(request: ChatRequest): ChatRequest {
  const { topP } = request;
  if (topP === undefined || (topP > 0 && topP < 1)) return request;
  return { ...request, topP: topP >= 1 ? 0.99 : 0.01 };
}

/** A range that is open at its upper end alone (Perplexity). */
export function belowOneTopP(request: ChatRequest): ChatRequest {
  return request.topP !== undefined && request.topP >= 1 ? { ...request, topP: 0.99 } : request;
}

/** Turns of one role side by side become one (Perplexity). */
export function mergeTurns(request: ChatRequest): ChatRequest {
  const messages: Message[] = [];
  for (const message of request.messages) {
    const last = messages.at(-1);
    if (last === undefined || last.role !== message.role || message.role === 'tool' || last.role === 'tool') {
      messages.push(message);
      continue;
    }
    messages[messages.length - 1] = { ...last, content: [...last.content, PARAGRAPH, ...message.content] };
  }
  return { ...request, messages };
}

const PARAGRAPH: ContentPart = { type: 'text', text: '\n\n' };
