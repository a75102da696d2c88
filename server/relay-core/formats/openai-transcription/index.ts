import { spliceBody } from '../shared/requests/splice-body.js';
import type { ApiFormat } from '../contract/api-format.js';
import {
  formatOf,
  readTranscriptionReply,
  TranscriptionReplyReader,
  TranscriptionReplyWriter,
  writeTranscriptionAsStream,
  writeTranscriptionReply,
  writeTranscriptionRequest,
} from './codec.js';
import { TRANSCRIPTION_FORMATS, type TranscriptionTask } from './id.js';
import { isTextFormat, TranscriptionMeter, transcriptIn } from './meter.js';
import { parseTranscriptionCall } from './parse-call.js';

/** OpenAI's transcription grammar: https://platform.openai.com/docs/api-reference/audio (read 2026-11-21). */
const transcriptionFormat = (task: TranscriptionTask): ApiFormat<'transcribe'> => ({
  id: TRANSCRIPTION_FORMATS[task],
  replyType: 'application/json',
  replyTypeOf: (call) => (isTextFormat(formatOf(call)) ? 'text/plain; charset=utf-8' : 'application/json'),
  parseCall: parseTranscriptionCall(task),
  spliceRequest: spliceBody,
  writeRequest: writeTranscriptionRequest,
  openMeter: (call) => new TranscriptionMeter(call.shape, formatOf(call)),
  readReply: readTranscriptionReply,
  openReplyReader: () => new TranscriptionReplyReader(),
  writeReply: writeTranscriptionReply,
  // A look-alike may answer in JSON whatever form was asked for.
  hasRequestedForm: (body, call) => !isTextFormat(formatOf(call)) || transcriptIn(body) === undefined,
  openReplyWriter: () => new TranscriptionReplyWriter(),
  writeReplyAsStream: writeTranscriptionAsStream,
});

export const openaiTranscription = transcriptionFormat('transcribe');
export const openaiTranslation = transcriptionFormat('translate');
