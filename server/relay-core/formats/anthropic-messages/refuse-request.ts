import type { ChatRequest } from '../../model/chat.js';
import type { ContentPart } from '../../model/content.js';
import type { RelayError } from '../../model/relay-error.js';
import { MESSAGES_FORMAT } from './id.js';
import { isUnreadable } from './media.js';
import { requestRefusal } from '../../model/refusals.js';

/** What this format cannot ask, and what would mean something else if it were left out. */
export function refuseMessagesRequest(request: ChatRequest): RelayError | undefined {
  if (request.choices > 1) {
    return requestRefusal('This model gives one answer per call; ask with n = 1.', 'n');
  }
  for (const { role, content } of request.messages) {
    for (const part of content) {
      if (isUnreadable(part)) return requestRefusal(`This model takes no ${part.type} input.`, 'messages');
    }
    if (role === 'user' && content.length > 0 && content.every(isUnspecified)) {
      return requestRefusal(
        'A message of the user holds nothing that can be given to this model.',
        'messages',
      );
    }
  }
  return undefined;
}

/** Pieces that are left out on the way: a message of nothing else would be lost. */
const isUnspecified = (part: ContentPart): boolean =>
  part.type === 'source' ||
  (part.type === 'vendor' && part.apiFormat !== MESSAGES_FORMAT) ||
  (part.type === 'reasoning' && part.signature?.by !== 'anthropic');
