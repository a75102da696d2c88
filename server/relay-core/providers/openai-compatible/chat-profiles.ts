import { createHash } from 'node:crypto';
import type { CompatibleId } from '../shared/default-models.js';
import {
  belowOneTopP,
  type ChatEdit,
  type ChatProfile,
  mergeTurns,
  openRangeOfTopP,
  withFields,
} from './chat-edits.js';
import {
  aliSuffix,
  baiduSuffix,
  deepseekSuffix,
  openaiSuffix,
  openrouterSuffix,
  type SuffixRule,
  volcengineSuffix,
  xaiSuffix,
} from './model-suffixes.js';
import {
  deepseekReasoning,
  kimiReasoning,
  mistralReasoning,
  openaiReasoning,
  openrouterReasoning,
  perplexityReasoning,
  qwenReasoning,
  type ReasoningEdit,
  volcengineReasoning,
  xaiReasoning,
  xaiResponsesReasoning,
  zhipuReasoning,
} from './reasoning-edits.js';
import type { ChatRequest, Message } from '../../model/chat.js';
import type { ContentPart } from '../../model/content.js';

const OWN_ID = /^[a-zA-Z0-9]{9}$/;
const CHAT_FORMAT = 'openai-chat';

const ANY_TOOL = { type: 'vendor', apiFormat: CHAT_FORMAT, value: 'any' } as const;

/** How one vendor's chats differ from OpenAI's, beyond its address. */
export interface VendorChatProfile extends ChatProfile {
  readonly reasoning?: ReasoningEdit;
  /** The same for its Responses endpoint; absent = as the caller asked. */
  readonly responsesReasoning?: ReasoningEdit;
  readonly suffix?: SuffixRule;
  /** Applied to every request that is written anew. */
  readonly edit?: ChatEdit;
  /** Members of a caller's own chat request that need the edits above; its bytes pass where none of them is there. */
  readonly editedMembers?: readonly string[];
  /** Sent with every request that is written anew. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** Behind the base address; absent = the vendor has no such endpoint. */
  readonly completionsPath?: string;
  readonly responsesPath?: string;
  /** Schemes of files' addresses it opens beside `http` and `https`; absent = none. */
  readonly fileSchemes?: readonly string[];
  /** Dialects other than chat are better served by its Responses endpoint. */
  readonly prefersResponses?: true;
}

const EFFORT = ['reasoning_effort'] as const;
const OPENAI: VendorChatProfile = {
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
const GATEWAY: VendorChatProfile = {
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
const PLAIN: VendorChatProfile = { history: 'none' };

/** By provider id. */
const VENDOR_CHATS: { readonly [Id in CompatibleId]?: VendorChatProfile } = {
  openai: { ...OPENAI, prefersResponses: true },
  // Not every resource has the newer endpoint: only its own callers and models are sent there.
  azure: OPENAI,
  'openai-max': OPENAI,
  'oh-my-gpt': OPENAI,
  ails: OPENAI,
  'ai-proxy': OPENAI,
  api2gpt: OPENAI,
  aigc2d: OPENAI,
  custom: { history: 'all', completionsPath: '', responsesPath: '' },
  tencent: { history: 'none', plainJson: true, completionsPath: '/v1/completions' },
  'new-api': GATEWAY,
  openrouter: {
    ...GATEWAY,
    reasoning: openrouterReasoning,
    suffix: openrouterSuffix,
    members: { usage: { include: true } },
  },
  ali: {
    history: 'none',
    cacheMarks: true,
    search: { members: { enable_search: true } },
    plainJson: true,
    fileSchemes: ['oss'],
    reasoning: qwenReasoning,
    suffix: aliSuffix,
    edit: openRangeOfTopP,
    editedMembers: [...EFFORT, 'top_p'],
    completionsPath: '/compatible-mode/v1/completions',
    responsesPath: '/api/v2/apps/protocols/compatible-mode/v1/responses',
  },
  deepseek: {
    history: 'open-round',
    plainJson: true,
    reasoning: deepseekReasoning,
    suffix: deepseekSuffix,
    editedMembers: EFFORT,
    completionsPath: '/beta/completions',
    responsesPath: '/responses',
  },
  moonshot: {
    history: 'open-round',
    plainJson: true,
    fileSchemes: ['ms'],
    reasoning: kimiReasoning,
    editedMembers: EFFORT,
    completionsPath: '/v1/completions',
  },
  'zhipu-v4': {
    history: 'open-round',
    plainJson: true,
    search: { tool: { type: 'web_search', web_search: { enable: true, search_result: true } } },
    reasoning: zhipuReasoning,
    edit: openRangeOfTopP,
    editedMembers: [...EFFORT, 'top_p'],
  },
  volcengine: {
    history: 'open-round',
    plainJson: true,
    reasoning: volcengineReasoning,
    suffix: volcengineSuffix,
    responsesPath: '/api/v3/responses',
  },
  mistral: {
    history: 'none',
    reasoning: mistralReasoning,
    edit: mistralEdit,
    editedMembers: ['seed', 'tools', 'tool_choice', 'reasoning_effort', 'max_completion_tokens'],
  },
  xai: {
    history: 'none',
    search: { members: { search_parameters: { mode: 'on', return_citations: true } } },
    reasoning: xaiReasoning,
    responsesReasoning: xaiResponsesReasoning,
    suffix: xaiSuffix,
    editedMembers: EFFORT,
    responsesPath: '/v1/responses',
    prefersResponses: true,
  },
  perplexity: {
    history: 'none',
    search: 'web_search_options',
    reasoning: perplexityReasoning,
    edit: (request) => mergeTurns(belowOneTopP(request)),
    editedMembers: ['top_p'],
    responsesPath: '/v1/responses',
  },
  minimax: { history: 'all', signatures: true, plainJson: true, members: { reasoning_split: true } },
  siliconflow: {
    history: 'none',
    reasoning: qwenReasoning,
    editedMembers: EFFORT,
    completionsPath: '/v1/completions',
  },
  'baidu-v2': { history: 'none', plainJson: true, suffix: baiduSuffix },
  cloudflare: {
    history: 'none',
    responsesPath: '/client/v4/accounts/{account}/ai/v1/responses',
  },
  xinference: { history: 'none', completionsPath: '/v1/completions' },
};

export const chatProfileOf = (providerId: CompatibleId): VendorChatProfile =>
  VENDOR_CHATS[providerId] ?? PLAIN;

/** What Mistral wants otherwise. */
export function mistralEdit(request: ChatRequest): ChatRequest {
  const { seed, toolChoice, ...rest } = request;
  const changed: ChatRequest = {
    ...rest,
    messages: request.messages.map(withOwnIds),
    ...(toolChoice === undefined
      ? {}
      : { toolChoice: toolChoice.type === 'required' ? ANY_TOOL : toolChoice }),
  };
  return seed === undefined ? changed : withFields(changed, { random_seed: seed });
}

/** Ids of calls are exactly nine letters or digits there; the same id becomes the same in every turn. */
export function mistralCallId(callId: string): string {
  if (OWN_ID.test(callId) || callId === '') return callId;
  const digest = createHash('sha256').update(callId).digest('base64');
  return digest.replace(/[^a-zA-Z0-9]/g, '').slice(0, 9);
}

function withOwnIds(message: Message): Message {
  if (message.role === 'tool') return { ...message, callId: mistralCallId(message.callId) };
  if (!message.content.some(({ type }) => type === 'tool-call')) return message;
  const content = message.content.map((part): ContentPart =>
    part.type === 'tool-call' ? { ...part, callId: mistralCallId(part.callId) } : part,
  );
  return { ...message, content };
}
