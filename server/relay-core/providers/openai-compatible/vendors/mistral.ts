import { createHash } from 'node:crypto';
import type { ChatRequest, Message } from '../../../model/chat.js';
import type { ContentPart } from '../../../model/content.js';
import type { EmbeddingRequest } from '../../../model/embedding.js';
import { EMBEDDINGS_FORMAT } from '../../../formats/openai-embeddings/id.js';
import { OTHER_CHATS } from '../../shared/default-descriptions.js';
import { names } from '../../shared/model-names.js';
import { withFields } from '../chat-edits.js';
import { type CompatibleProfile, OPENAI_PATHS } from '../compatible-profile.js';
import { dropped, isOff, type ReasoningEdit, written } from '../reasoning-edits.js';

const OWN_ID = /^[a-zA-Z0-9]{9}$/;

/** It refuses messages with members of other vendors (`extra_forbidden`). */
const MESSAGE_MEMBERS: ReadonlySet<string> = new Set([
  'role',
  'content',
  'name',
  'tool_calls',
  'tool_call_id',
  'prefix',
]);

const ANY_TOOL = { type: 'vendor', apiFormat: 'openai-chat', value: 'any' } as const;

const mistralReasoning: ReasoningEdit = (request, model) => {
  if (/^magistral/i.test(model))
    return isOff(request) === false ? written(request, { prompt_mode: 'reasoning' }) : dropped(request);
  const takesEffort = /^mistral-(?:small-(?:latest|2603)|medium-(?:3|latest))/i.test(model);
  const off = isOff(request);
  if (!takesEffort || off === undefined) return dropped(request);
  return written(request, { reasoning_effort: off ? 'none' : 'high' });
};

/** Mistral AI. */
export const mistral: CompatibleProfile = {
  id: 'mistral',
  channelTypes: [{ code: 42, name: 'Mistral', telemetryName: 'mistral_ai', form: { keyExample: 'API key' } }],
  defaultBaseUrl: 'https://api.mistral.ai',
  paths: OPENAI_PATHS,
  // It refuses members it does not know, and reports usage in the last chunk anyway.
  refusesStreamOptions: true,
  refusedMembers: [
    'user',
    'logit_bias',
    'logprobs',
    'top_logprobs',
    'store',
    'metadata',
    'verbosity',
    'top_k',
    'seed',
    'prompt_cache_key',
    'prompt_cache_retention',
    'safety_identifier',
    'web_search_options',
    'dimensions',
  ],
  defaultModels: names(`
    mistral-large-latest mistral-medium-latest mistral-small-latest magistral-medium-latest
    magistral-small-latest codestral-latest devstral-medium-latest ministral-8b-latest
    pixtral-large-latest open-mistral-7b open-mixtral-8x7b mistral-embed
  `),
  description: {
    source: {
      links: [
        'https://docs.mistral.ai/fr/studio-api/conversations/reasoning',
        'https://socket.dev/npm/package/@ai-sdk/mistral/diff/3.0.52',
        'https://github.com/datapizza-labs/datapizza-ai/issues/98',
        'https://github.com/avante-corp/avante.nvim/pull/2695',
      ],
      read: '2026-11-29',
      restsOn:
        'the difference of a public client for earlier thoughts; public threads with its refusals (3230)',
    },
    instructions: { developer: false, place: 'head' },
    cap: 'max_tokens',
    user: false,
    reasoning: ['reasoning_effort', 'prompt_mode'],
    thoughts: 'thinking parts',
    serviceTiers: [],
    refusesTopK: true,
    messageMembers: MESSAGE_MEMBERS,
    chats: { ...OTHER_CHATS, separatesTools: true },
  },
  changeEmbeddings: mistralEmbeddings,
  chat: {
    history: 'open-round',
    reasoning: mistralReasoning,
    edit: mistralEdit,
    editedMembers: ['seed', 'tools', 'tool_choice', 'reasoning_effort', 'max_completion_tokens'],
  },
  media: {
    speak: '/v1/audio/speech',
    transcribe: '/v1/audio/transcriptions',
    moderate: '/v1/moderations',
  },
};

/**
 * Embeddings without the encoding, which the vendor may refuse: the gateway writes vectors in the requested one. The size has another name,
 * and `mistral-embed` has one size only. https://github.com/Kilo-Org/cloud/pull/3196 (read 2026-12-01).
 */
function mistralEmbeddings(request: EmbeddingRequest, upstreamModel: string): EmbeddingRequest {
  const { encoding: _encoding, dimensions, ...rest } = request;
  if (dimensions === undefined) return rest;
  if (!/^codestral-embed/i.test(upstreamModel)) return { ...rest, dimensions };
  const own = { ...rest.vendorOptions?.[EMBEDDINGS_FORMAT], output_dimension: dimensions };
  return { ...rest, vendorOptions: { ...rest.vendorOptions, [EMBEDDINGS_FORMAT]: own } };
}

/** Changes of every request to Mistral. */
function mistralEdit(request: ChatRequest): ChatRequest {
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
