import { USUAL_TOOL_NAMES } from '../shared/fields/tool-names.js';
import { appendMessagesUsage, messagesTail } from './stream-tail.js';
import type { ApiFormat } from '../contract/api-format.js';
import { CLAUDE_ROOTS } from '../shared/fields/tool-roots.js';
import { holdsEmpty, holdsMark } from '../shared/requests/foreign-signatures.js';
import { MESSAGES_FORMAT } from './id.js';
import { MessagesMeter } from './meter.js';
import { parseMessagesCall } from './parse-call.js';
import { modelRulesOf } from './model-rules.js';
import { asksForThinking, OUTPUT_CONFIG } from './read-request.js';
import { readMessagesReply } from './read-reply.js';
import { MessagesReplyReader } from './reply-reader.js';
import { MessagesReplyWriter } from './reply-writer.js';
import { spliceMessagesRequest } from './splice-request.js';
import { refusesThinking } from './thinking.js';
import { isBareRound, SCAN_FLAGS } from '../../framing/scan-flags.js';
import { readField, type ScannedObject } from '../../framing/json-splice.js';
import { documentOf } from '../shared/fields/json-fields.js';
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

/** Claude refuses to think where the round of tools that is open began without thoughts: another vendor wrote it. */
const beginsBare = (document: ScannedObject): boolean =>
  isBareRound(document.scanFlags) && documentOf(readField(document, 'thinking'))['type'] === 'enabled';

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
  // Compatible vendors that sign nothing need their thoughts back unchanged.
  holdsForeignSignatures: (bytes, upstreamModel) =>
    holdsMark(bytes, ['signature', 'data']) || (isClaude(upstreamModel) && holdsEmpty(bytes, 'signature')),
  needsRewrite: (document, upstreamModel) =>
    // An image as a text would cost more than the context holds.
    ((document.scanFlags ?? 0) & SCAN_FLAGS.markdownImage) !== 0 ||
    (isClaude(upstreamModel) && beginsBare(document)) ||
    refusesThinking(modelRulesOf(upstreamModel), {
      thinking: readField(document, 'thinking'),
      effort: documentOf(readField(document, OUTPUT_CONFIG))['effort'],
    })
      ? 'request'
      : undefined,
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

/** Requests that this format cannot express, and whose meaning would change if the member were left out. */
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
