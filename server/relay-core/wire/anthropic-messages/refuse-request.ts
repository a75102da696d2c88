import type { ChatRequest } from '../../model/chat.js';
import type { RelayError } from '../../model/relay-error.js';
import { isUnreadable } from './media.js';

/** What this wire cannot ask, and what would mean something else if it were left out. */
export function refuseMessagesRequest(request: ChatRequest): RelayError | undefined {
  if (request.choices > 1) {
    return refusal('This model gives one answer per call; ask with n = 1.', 'n');
  }
  for (const { content } of request.messages) {
    for (const part of content) {
      if (isUnreadable(part)) return refusal(`This model takes no ${part.type} input.`, 'messages');
    }
  }
  return undefined;
}

const refusal = (message: string, param: string): RelayError => ({
  kind: 'invalid-request',
  blame: 'caller',
  message,
  param,
});
