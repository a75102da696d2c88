import { createHash } from 'node:crypto';
import type { ChatRequest, Message } from '../../model/chat.js';
import type { ContentPart } from '../../model/content.js';
import { withFields } from './chat-edits.js';

const OWN_ID = /^[a-zA-Z0-9]{9}$/;
const CHAT_FORMAT = 'openai-chat';

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

const ANY_TOOL = { type: 'vendor', apiFormat: CHAT_FORMAT, value: 'any' } as const;

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
