import { USUAL_TOOL_NAMES } from '../shared/fields/tool-names.js';
import { choicesTail, appendChatUsage } from '../shared/openai/append-usage.js';
import type { ApiFormat } from '../contract/api-format.js';
import { OPENAI_ROOTS } from '../shared/fields/tool-roots.js';
import { CHAT_FORMAT } from './id.js';
import { ChoicesMeter } from '../shared/openai/openai-choices-meter.js';
import { repairChat } from './repair-reply.js';
import { parseChatCall } from './parse-call.js';
import { readChatReply } from './read-reply.js';
import { ChatReplyReader } from './reply-reader.js';
import { ChatReplyWriter } from './reply-writer.js';
import { spliceChatRequest } from './splice-request.js';
import { writeChatRequest } from './write-request.js';
import { writeChatReply } from './write-reply.js';

/** OpenAI's chat grammar: https://platform.openai.com/docs/api-reference/chat (read 2026-11-21). */
export const openaiChat: ApiFormat<'chat'> = {
  id: CHAT_FORMAT,
  hasTextArguments: true,
  replyType: 'application/json',
  hasFreeformTools: true,
  repair: repairChat,
  parseCall: parseChatCall,
  capPlaces: ['max_tokens', 'max_completion_tokens'],
  responseFormatsAreObjects: true,
  bytesOnly: ['audio'],
  toolRoots: OPENAI_ROOTS,
  toolNames: USUAL_TOOL_NAMES,
  spliceRequest: spliceChatRequest,
  writeRequest: writeChatRequest,
  openMeter: () => new ChoicesMeter(),
  readReply: readChatReply,
  openReplyReader: () => new ChatReplyReader(),
  writeReply: writeChatReply,
  streamTail: choicesTail('chat.completion.chunk', 'chatcmpl-'),
  appendUsage: appendChatUsage,
  openReplyWriter: (context, call) => new ChatReplyWriter(context, call),
};
