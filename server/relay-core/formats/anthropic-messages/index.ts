import { USUAL_TOOL_NAMES } from '../shared/fields/tool-names.js';
import { appendMessagesUsage, messagesTail } from './stream-tail.js';
import type { ApiFormat } from '../contract/api-format.js';
import { CLAUDE_ROOTS } from '../shared/fields/tool-roots.js';
import { holdsEmpty, holdsMark } from '../shared/requests/foreign-signatures.js';
import { MESSAGES_FORMAT } from './id.js';
import { MessagesMeter } from './meter.js';
import { parseMessagesCall } from './parse-call.js';
import { asksForThinking } from './read-request.js';
import { readMessagesReply } from './read-reply.js';
import { MessagesReplyReader } from './reply-reader.js';
import { MessagesReplyWriter } from './reply-writer.js';
import { spliceMessagesRequest } from './splice-request.js';
import { writeMessagesReply } from './write-reply.js';
import { writeMessagesRequest } from './write-request.js';
import type { ChatRequest } from '../../model/chat.js';
import type { ContentPart } from '../../model/content.js';
import type { RelayError } from '../../model/relay-error.js';
import { isUnreadable } from './media.js';
import { requestRefusal } from '../../model/refusals.js';

/** Pieces that are left out on the way: a message of nothing else would be lost. */
const isUnspecified = (part: ContentPart): boolean =>
  part.type === 'source' ||
  (part.type === 'vendor' && part.apiFormat !== MESSAGES_FORMAT) ||
  (part.type === 'reasoning' && part.signature?.by !== 'anthropic');

const isClaude = (model: string): boolean => /claude/i.test(model);

/** Anthropic's Messages grammar: https://docs.claude.com/en/api/messages (read 2026-11-21). */
export const anthropicMessages: ApiFormat<'chat'> = {
  id: MESSAGES_FORMAT,
  replyType: 'application/json',
  parseCall: parseMessagesCall,
  capPlaces: ['max_tokens'],
  responseFormatsAreObjects: true,
  toolRoots: [{ roots: CLAUDE_ROOTS }],
  toolNames: { ...USUAL_TOOL_NAMES, longest: 128 },
  spliceRequest: spliceMessagesRequest,
  writeRequest: writeMessagesRequest,
  // Look-alikes that sign nothing want their thoughts back as they were.
  holdsForeignSignatures: (bytes, upstreamModel) =>
    holdsMark(bytes, ['signature', 'data']) || (isClaude(upstreamModel) && holdsEmpty(bytes, 'signature')),
  capsEveryCall: true,
  refuseRequest: refuseMessagesRequest,
  openMeter: () => new MessagesMeter(),
  readReply: readMessagesReply,
  openReplyReader: () => new MessagesReplyReader(),
  writeReply: writeMessagesReply,
  streamTail: messagesTail,
  appendUsage: appendMessagesUsage,
  openReplyWriter: (context) => new MessagesReplyWriter(context),
  // Thinking is shown to who turns it on.
  hides: (call) => {
    const request = call.neutral();
    return request.ok && !asksForThinking(request.value) ? 'all' : undefined;
  },
};

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
