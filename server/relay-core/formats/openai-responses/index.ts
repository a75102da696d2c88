import { USUAL_TOOL_NAMES } from '../shared/fields/tool-names.js';
import { responsesTail, appendResponsesUsage } from './stream-tail.js';
import type { ApiFormat } from '../contract/api-format.js';
import { OPENAI_ROOTS } from '../shared/fields/tool-roots.js';
import { holdsMark, holdsUnsignedReasoning } from '../shared/requests/foreign-signatures.js';
import { RESPONSES_FORMAT } from './id.js';
import { ResponsesMeter } from './meter.js';
import { parseResponsesCall } from './parse-call.js';
import { readResponsesReply } from './read-reply.js';
import { ResponsesReplyReader } from './reply-reader.js';
import { ResponsesReplyWriter, writeResponsesErrorFrame } from './reply-writer.js';
import { spliceResponsesRequest } from './splice-request.js';
import { writeResponsesReply } from './write-reply.js';
import { refuseResponsesRequest, writeResponsesRequest } from './write-request.js';

/** OpenAI's Responses grammar: https://platform.openai.com/docs/api-reference/responses (read 2026-11-21). */
export const openaiResponses: ApiFormat<'chat'> = {
  id: RESPONSES_FORMAT,
  hasTextArguments: true,
  replyType: 'application/json',
  hasFreeformTools: true,
  parseCall: parseResponsesCall,
  capPlaces: ['max_output_tokens'],
  responseFormatsAreObjects: true,
  bytesOnly: ['audio'],
  toolRoots: OPENAI_ROOTS,
  toolNames: USUAL_TOOL_NAMES,
  spliceRequest: spliceResponsesRequest,
  writeRequest: writeResponsesRequest,
  holdsForeignSignatures: (bytes) => holdsMark(bytes, ['encrypted_content']) || holdsUnsignedReasoning(bytes),
  refuseRequest: refuseResponsesRequest,
  openMeter: () => new ResponsesMeter(),
  readReply: readResponsesReply,
  openReplyReader: () => new ResponsesReplyReader(),
  writeReply: writeResponsesReply,
  streamTail: responsesTail,
  appendUsage: appendResponsesUsage,
  openReplyWriter: (context, call) => new ResponsesReplyWriter(context, call),
  writeErrorFrame: writeResponsesErrorFrame,
};
