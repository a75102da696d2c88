import { USUAL_TOOL_NAMES } from '../shared/fields/tool-names.js';
import { messagesTail, appendMessagesUsage } from './stream-tail.js';
import type { ApiFormat } from '../contract/api-format.js';
import { CLAUDE_ROOTS } from '../shared/fields/tool-roots.js';
import { holdsEmpty, holdsMark } from '../shared/requests/foreign-signatures.js';
import { MESSAGES_FORMAT } from './id.js';
import { MessagesMeter } from './meter.js';
import { parseMessagesCall } from './parse-call.js';
import { asksForThinking } from './read-request.js';
import { readMessagesReply } from './read-reply.js';
import { refuseMessagesRequest } from './refuse-request.js';
import { MessagesReplyReader } from './reply-reader.js';
import { MessagesReplyWriter } from './reply-writer.js';
import { spliceMessagesRequest } from './splice-request.js';
import { writeMessagesReply } from './write-reply.js';
import { writeMessagesRequest } from './write-request.js';

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
