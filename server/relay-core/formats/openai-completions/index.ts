import { ChoicesMeter } from '../shared/openai/openai-choices-meter.js';
import { choicesTail, appendChatUsage } from '../shared/openai/append-usage.js';
import type { ApiFormat } from '../contract/api-format.js';
import { COMPLETIONS_FORMAT } from './id.js';
import { parseCompletionCall } from './parse-call.js';
import { CompletionReplyReader, readCompletionReply } from './read-reply.js';
import { spliceCompletionRequest } from './splice-request.js';
import { CompletionReplyWriter, writeCompletionReply } from './write-reply.js';
import { refuseCompletionRequest, writeCompletionRequest } from './write-request.js';

/** OpenAI's text completions: https://platform.openai.com/docs/api-reference/completions (read 2026-11-21). */
export const openaiCompletions: ApiFormat<'chat'> = {
  id: COMPLETIONS_FORMAT,
  replyType: 'application/json',
  parseCall: parseCompletionCall,
  capPlaces: ['max_tokens'],
  spliceRequest: spliceCompletionRequest,
  writeRequest: writeCompletionRequest,
  refuseRequest: refuseCompletionRequest,
  openMeter: () => new ChoicesMeter(),
  readReply: readCompletionReply,
  openReplyReader: () => new CompletionReplyReader(),
  writeReply: writeCompletionReply,
  streamTail: choicesTail('text_completion', 'cmpl-'),
  appendUsage: appendChatUsage,
  openReplyWriter: (context, call) => new CompletionReplyWriter(context, call),
};
