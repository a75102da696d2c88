import { ok, type Result } from '../../../common/result.js';
import type { RelayError } from '../../model/relay-error.js';
import type { SpeechReply, SpeechRequest } from '../../model/speech.js';
import type { StreamEvent } from '../../model/stream-event.js';
import type { Usage } from '../../model/usage.js';
import { eventJson } from '../shared/metering/event-data.js';
import { parseDocument, setGiven, textOf } from '../shared/fields/json-fields.js';
import { readTokenUsage } from '../shared/metering/token-usage.js';
import type {
  ParsedCall,
  ReplyReader,
  ReplyWriter,
  RequestEdits,
  WrittenRequest,
} from '../contract/api-format.js';
import { SPEECH_FORMAT } from './id.js';
import { ParsedSpeechCall } from './parse-call.js';
import { warnOfOtherFormatFields } from '../shared/fields/dropped-fields.js';
import type { Warning } from '../../model/warning.js';
import { formatOptions, writtenBody } from '../shared/requests/drop-refused-members.js';

const TYPES: ReadonlyMap<string, string> = new Map([
  ['mp3', 'audio/mpeg'],
  ['opus', 'audio/ogg'],
  ['aac', 'audio/aac'],
  ['flac', 'audio/flac'],
  ['wav', 'audio/wav'],
  ['pcm', 'audio/pcm'],
]);

/** Mime type of the format that was asked for. */
export function speechType(call: ParsedCall<'speak'>): string {
  const format = call instanceof ParsedSpeechCall ? call.format : 'mp3';
  return TYPES.get(format) ?? 'application/octet-stream';
}

export function writeSpeechRequest(request: SpeechRequest, edits: RequestEdits): WrittenRequest {
  const body = formatOptions(request, SPEECH_FORMAT);
  body['model'] = edits.upstreamModel;
  body['input'] = request.text;
  setGiven(body, 'voice', request.voice);
  setGiven(body, 'instructions', request.instructions);
  setGiven(body, 'response_format', request.format);
  setGiven(body, 'speed', request.speed);
  const warnings: Warning[] = [];
  warnOfOtherFormatFields(request.vendorOptions, SPEECH_FORMAT, warnings);
  return writtenBody(edits, body, warnings);
}

/** Sound is its own reply. */
export function readSpeechReply(body: Buffer, call: ParsedCall<'speak'>): Result<SpeechReply, RelayError> {
  return ok({ audio: body, mediaType: speechType(call), usage: undefined });
}

/** A whole reply for a caller that asked for a stream. */
export function writeSpeechAsStream(reply: SpeechReply): string {
  const writer = new SpeechReplyWriter();
  const audio = { data: reply.audio.toString('base64') };
  const frames = writer.write({ type: 'audio-delta', block: 0, audio });
  if (reply.usage !== undefined) writer.write({ type: 'usage', usage: reply.usage });
  return frames + writer.end();
}

/** `speech.audio.delta` and `speech.audio.done` → neutral events. */
export class SpeechReplyReader implements ReplyReader {
  read(data: string): readonly StreamEvent[] {
    const document = parseDocument(data, JSON.parse);
    if (document === undefined) return []; // the meter counts unreadable frames
    const events: StreamEvent[] = [];
    const audio = textOf(document['audio']) ?? textOf(document['delta']);
    if (audio !== undefined) events.push({ type: 'audio-delta', block: 0, audio: { data: audio } });
    const usage = readTokenUsage(document['usage']);
    if (usage !== undefined && usage !== 'invalid') events.push({ type: 'usage', usage });
    return events;
  }

  finish(): readonly StreamEvent[] {
    return [{ type: 'reply-end', finish: { unified: 'stop', raw: undefined } }];
  }
}

/** Neutral events → `speech.audio.delta` and `speech.audio.done`. */
export class SpeechReplyWriter implements ReplyWriter {
  private usage: Usage | undefined;

  write(event: StreamEvent): string {
    if (event.type === 'usage') this.usage = event.usage;
    if (event.type !== 'audio-delta') return '';
    return `data: ${eventJson({ type: 'speech.audio.delta', audio: event.audio['data'] })}\n\n`;
  }

  end(): string {
    const input = this.usage?.input.total ?? 0;
    const output = this.usage?.output.total ?? 0;
    const usage = { input_tokens: input, output_tokens: output, total_tokens: input + output };
    const members = this.usage === undefined ? {} : { usage };
    return `data: ${eventJson({ type: 'speech.audio.done', ...members })}\n\n`;
  }
}
