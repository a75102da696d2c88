import { spliceBody } from '../shared/requests/splice-body.js';
import type { ApiFormat } from '../contract/api-format.js';
import {
  readSpeechReply,
  SpeechReplyReader,
  SpeechReplyWriter,
  speechType,
  writeSpeechAsStream,
  writeSpeechRequest,
} from './codec.js';
import { SPEECH_FORMAT } from './id.js';
import { SpeechMeter } from './meter.js';
import { ParsedSpeechCall, parseSpeechCall } from './parse-call.js';

/** OpenAI's speech grammar: https://platform.openai.com/docs/api-reference/audio/createSpeech (read 2026-11-21). */
export const openaiSpeech: ApiFormat<'speak'> = {
  id: SPEECH_FORMAT,
  replyType: 'audio/mpeg',
  replyTypeOf: speechType,
  replyForm: 'bytes',
  parseCall: parseSpeechCall,
  spliceRequest: spliceBody,
  writeRequest: writeSpeechRequest,
  openMeter: (call) => new SpeechMeter(call.shape, call instanceof ParsedSpeechCall ? call.format : 'mp3'),
  readReply: readSpeechReply,
  openReplyReader: () => new SpeechReplyReader(),
  writeReply: (reply) => reply.audio,
  openReplyWriter: () => new SpeechReplyWriter(),
  writeReplyAsStream: writeSpeechAsStream,
};
