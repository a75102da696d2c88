import type { ChatRequest, Message } from '../../model/chat.js';
import type { ContentPart } from '../../model/content.js';
import type { Tool } from '../../model/tool.js';
import { withoutFreeformTools } from '../../formats/shared/fields/freeform-tools.js';

/** A change of a request before it is written for a vendor. Pure. */
export type ChatEdit = (request: ChatRequest) => ChatRequest;

/** Which of a turn's thoughts a vendor wants to see again. */
export type ReasoningHistory = 'all' | 'open-round' | 'none';

/** Features of other client APIs that a vendor of the chat format supports. */
export interface ChatProfile {
  /** `open-round`: thoughts since the user's last message, for tool calls in progress. */
  readonly history: ReasoningHistory;
  /** Signatures of reasoning go back (`reasoning_details`). */
  readonly signatures?: true;
  /** Google's signature beside a call (`extra_content`) is looked at: by Gemini models, behind whatever address. */
  readonly callSignatures?: true;
  /** Marks of the prompt cache are understood. */
  readonly cacheMarks?: true;
  /** Tools that take plain text are understood. */
  readonly freeformTools?: true;
  /** Form of a search request: this format's own, a tool, or fields of the vendor's own; absent = none. */
  readonly search?:
    | 'web_search_options'
    | { readonly tool: unknown }
    | { readonly members: Readonly<Record<string, unknown>> };
  /** OpenAI's own fields (`store`, `metadata`, `prompt_cache_key`, …) are understood; strict compatible vendors refuse them. */
  readonly platformMembers?: true;
  /** Structured answers are JSON without a schema: the prompt describes it. */
  readonly plainJson?: true;
}

const CHAT_FORMAT = 'openai-chat';
const MESSAGES_FORMAT = 'anthropic-messages';

/** Fits a request of another dialect to what the vendor takes. */
export function fitToVendor(request: ChatRequest, profile: ChatProfile): ChatRequest {
  let fitted = fitHistory(request, profile);
  if (profile.freeformTools !== true) fitted = withoutFreeformTools(fitted);
  if (profile.cacheMarks !== true) fitted = withoutCacheMarks(fitted);
  // Gateways take it; Ali takes marks on parts alone.
  else if (profile.signatures === true) fitted = withAutomaticCaching(fitted);
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

/** `cache_control` at the top of a Messages request means the same at a vendor that reads marks. */
function withAutomaticCaching(request: ChatRequest): ChatRequest {
  const { [MESSAGES_FORMAT]: options, ...others } = request.vendorOptions ?? {};
  const { cache_control: mark, ...rest } = options ?? {};
  if (mark === undefined) return request;
  const vendorOptions = Object.keys(rest).length === 0 ? others : { ...others, [MESSAGES_FORMAT]: rest };
  return withFields({ ...request, vendorOptions }, { cache_control: mark });
}

function withoutCacheMark(part: ContentPart): ContentPart {
  if (part.type === 'vendor' || part.cache === undefined) return part;
  const { cache: _cache, ...plain } = part;
  return plain;
}

/** Fields that the Responses format shares with OpenAI's chats and other vendors' chats lack. */
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
  // A tool of an unknown format is left out with a warning.
  const apiFormat = search === undefined ? 'web-search' : CHAT_FORMAT;
  const tools = request.tools.map((tool): Tool =>
    tool.type === 'web-search' ? { type: 'vendor', apiFormat, value: search?.tool ?? tool } : tool,
  );
  return { ...request, tools };
}

/** JSON without a schema: the prompt describes it, which is all such vendors offer. */
export function describeSchemaInPrompt(request: ChatRequest): ChatRequest {
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
