import type { Route } from '../../ports/channel-picker.js';
import type { ProviderCall } from '../provider.js';
import type { ChatEdit, ChatProfile } from './chat-edits.js';
import { openaiSuffix, type SuffixRule } from './model-suffixes.js';
import { openaiReasoning, type ReasoningEdit } from './reasoning-edits.js';

/** Differences of one vendor's chats from OpenAI's, beyond its address. */
export interface VendorChatProfile extends ChatProfile {
  readonly reasoning?: ReasoningEdit;
  /** The same for its Responses endpoint; absent = as the caller asked. */
  readonly responsesReasoning?: ReasoningEdit;
  readonly suffix?: SuffixRule;
  /** Applied to every request that is written anew. */
  readonly edit?: ChatEdit;
  /** Members of a caller's own chat request that need the edits above; its bytes pass where none of them is there. */
  readonly editedMembers?: readonly string[];
  /** Top-level members of a chat that a model refuses. */
  readonly refusedBy?: (upstreamModel: string) => readonly string[];
  /** Sent with every request that is written anew. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** Behind the base address; absent = the vendor has no such endpoint. */
  readonly completionsPath?: string;
  readonly responsesPath?: string;
  /** Schemes of files' addresses it opens beside `http` and `https`; absent = none. */
  readonly fileSchemes?: readonly string[];
  /** Dialects other than chat are better served by its Responses endpoint. */
  readonly prefersResponses?: true;
  /** Searches are tools of its Responses endpoint, which its chats refuse: which chats ask for one, and how it is written. */
  readonly toolSearch?: { asks(call: ProviderCall): boolean; readonly edit: ChatEdit };
  /** Which of a Responses client's calls go to its Responses endpoint; absent = all. */
  readonly responsesWhen?: (route: Pick<Route, 'baseUrl' | 'upstreamModel'>) => boolean;
  /** Other OpenAI-compatible providers are configured under the same type: the host distinguishes them. */
  readonly hasOtherHosts?: true;
  /** It opens addresses of documents; all others are sent the bytes. */
  readonly opensFiles?: true;
}

/** OpenAI's own models, wherever they are sold. */
export const OPENAI_CHAT: VendorChatProfile = {
  history: 'none',
  freeformTools: true,
  platformMembers: true,
  reasoning: openaiReasoning,
  responsesReasoning: openaiReasoning,
  suffix: openaiSuffix,
  completionsPath: '/v1/completions',
  responsesPath: '/v1/responses',
};
/** Another gateway takes whatever it is given. */
export const GATEWAY_CHAT: VendorChatProfile = {
  history: 'all',
  signatures: true,
  cacheMarks: true,
  freeformTools: true,
  platformMembers: true,
  fileSchemes: ['gs', 's3', 'oss', 'ms'],
  search: 'web_search_options',
  completionsPath: '/v1/completions',
  responsesPath: '/v1/responses',
};
/** Profile of a vendor whose row names none. */
export const PLAIN: VendorChatProfile = { history: 'open-round' };
