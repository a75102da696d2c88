import { spliceBody } from '../shared/requests/splice-body.js';
import type {
  ApiFormat,
  ParsedCall,
  ReplyReader,
  ReplyWriter,
  RequestEdits,
  WrittenRequest,
} from '../contract/api-format.js';
import { TRANSCRIPTION_FORMAT, TRANSCRIPTION_FORMATS, type TranscriptionTask } from './id.js';
import { isTextFormat, transcriptIn, TranscriptionMeter } from './meter.js';
import { ParsedTranscriptionCall, parseTranscriptionCall } from './parse-call.js';
import { ok, type Result } from '../../../common/result.js';
import { boundaryFor, type FormValue, writeMultipart } from '../../framing/multipart.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { TranscriptionReply, TranscriptionRequest } from '../../model/speech.js';
import type { StreamEvent } from '../../model/stream-event.js';
import type { Usage } from '../../model/usage.js';
import { keepUnknown } from '../../model/vendor-options.js';
import { eventJson } from '../shared/metering/event-data.js';
import { documentOf, listOf, numberOf, parseDocument, textOf } from '../shared/fields/json-fields.js';
import { formatOptions } from '../shared/requests/drop-refused-members.js';
import { readTokenUsage } from '../shared/metering/reported-usage.js';
import { warnOfOtherFormatFields } from '../shared/fields/dropped-fields.js';
import type { Warning } from '../../model/warning.js';
import { readTranscriptChunk, type TranscriptChunk } from './transcript-chunk.js';
import { replyDocument } from '../shared/replies/reply-document.js';

const MALFORMED = refusal('no-transcript');

const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  'text',
  'language',
  'duration',
  'segments',
  'usage',
  'task',
]);

const KNOWN_EXCEPT_USAGE: ReadonlySet<string> = new Set([...KNOWN_FIELDS].filter((name) => name !== 'usage'));

export const formatOf = (call: ParsedCall<'transcribe'>): string =>
  call instanceof ParsedTranscriptionCall ? call.format : 'json';

const eventsOf = ({ text, usage }: TranscriptChunk): readonly StreamEvent[] => [
  ...(text === '' ? [] : [{ type: 'text-delta', block: 0, text } as const]),
  ...(usage === undefined || usage === 'invalid' ? [] : [{ type: 'usage', usage } as const]),
];

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
  // A compatible vendor may answer in JSON whatever form was requested.
  hasRequestedForm: (body, call) => !isTextFormat(formatOf(call)) || transcriptIn(body) === undefined,
  openReplyWriter: () => new TranscriptionReplyWriter(),
  writeReplyAsStream: writeTranscriptionAsStream,
});

export const openaiTranscription = transcriptionFormat('transcribe');
export const openaiTranslation = transcriptionFormat('translate');

/** Neutral request → form. */
export function writeTranscriptionRequest(
  request: TranscriptionRequest,
  edits: RequestEdits,
): WrittenRequest {
  const fields = formatOptions(request, TRANSCRIPTION_FORMAT);
  const settings = {
    model: edits.upstreamModel,
    language: request.language,
    prompt: request.prompt,
    response_format: request.format,
    temperature: request.temperature?.toString(),
  };
  for (const [name, value] of Object.entries(settings)) if (value !== undefined) fields[name] = value;
  for (const name of edits.refusedMembers) delete fields[name];
  const values: FormValue[] = Object.entries(fields).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => ({ name, text: String(one) })),
  );
  values.push({
    name: 'file',
    bytes: request.file,
    fileName: request.fileName,
    mediaType: request.mediaType ?? 'application/octet-stream',
  });
  const boundary = boundaryFor(values);
  const warnings: Warning[] = [];
  warnOfOtherFormatFields(request.vendorOptions, TRANSCRIPTION_FORMAT, warnings);
  return {
    body: writeMultipart(values, boundary),
    contentType: `multipart/form-data; boundary=${boundary}`,
    warnings,
  };
}

/** Whole reply → neutral reply. Fails: upstream-malformed. */
export function readTranscriptionReply(
  body: Buffer,
  call: ParsedCall<'transcribe'>,
): Result<TranscriptionReply, RelayError> {
  const text = body.toString('utf8');
  if (isTextFormat(formatOf(call)) && transcriptIn(body) === undefined) return ok({ text, usage: undefined });
  const read = replyDocument(body, MALFORMED, (document) => typeof document['text'] === 'string', JSON.parse);
  if (!read.ok) return read;
  const document = read.value;
  const language = textOf(document['language']);
  const duration = numberOf(document['duration']);
  const usage = readTokenUsage(document['usage']);
  // Seconds instead of tokens are this format's own way of counting.
  const isTimed = documentOf(document['usage'])['type'] === 'duration';
  const rest = keepUnknown(TRANSCRIPTION_FORMAT, document, isTimed ? KNOWN_EXCEPT_USAGE : KNOWN_FIELDS);
  const segments = listOf(document['segments']).flatMap((item) => {
    const row = documentOf(item);
    const [start, end] = [numberOf(row['start']), numberOf(row['end'])];
    return start === undefined || end === undefined ? [] : [{ start, end, text: textOf(row['text']) ?? '' }];
  });
  return ok({
    text: textOf(document['text']) ?? '',
    usage: usage === 'invalid' ? undefined : usage,
    ...(language === undefined ? {} : { language }),
    ...(duration === undefined ? {} : { durationSeconds: duration }),
    ...(segments.length === 0 ? {} : { segments }),
    ...(rest === undefined ? {} : { vendorOptions: rest }),
  });
}

/** Neutral reply → the requested format. */
export function writeTranscriptionReply(
  reply: TranscriptionReply,
  _context: unknown,
  call: ParsedCall<'transcribe'>,
): Buffer {
  const format = formatOf(call);
  const { text, segments = [], usage } = reply;
  const whole = [{ start: 0, end: reply.durationSeconds ?? 0, text }];
  const pieces = segments.length === 0 ? whole : segments;
  if (format === 'text') return Buffer.from(text.endsWith('\n') ? text : `${text}\n`);
  if (format === 'srt') {
    const blocks = pieces.map(
      (piece, index) =>
        `${index + 1}\n${clock(piece.start, ',')} --> ${clock(piece.end, ',')}\n${piece.text.trim()}\n`,
    );
    return Buffer.from(blocks.join('\n'));
  }
  if (format === 'vtt') {
    const blocks = pieces.map(
      (piece) => `${clock(piece.start, '.')} --> ${clock(piece.end, '.')}\n${piece.text.trim()}\n`,
    );
    return Buffer.from(`WEBVTT\n\n${blocks.join('\n')}`);
  }
  const isVerbose = format === 'verbose_json';
  return Buffer.from(
    JSON.stringify({
      ...reply.vendorOptions?.[TRANSCRIPTION_FORMAT],
      ...(isVerbose ? { task: call.shape.task ?? 'transcribe' } : {}),
      ...(isVerbose && reply.language !== undefined ? { language: reply.language } : {}),
      ...(isVerbose && reply.durationSeconds !== undefined ? { duration: reply.durationSeconds } : {}),
      text,
      ...(isVerbose && segments.length > 0
        ? { segments: segments.map((segment, id) => ({ id, ...segment })) }
        : {}),
      ...(usage === undefined ? {} : { usage: tokensOf(usage) }),
    }),
  );
}

/** A whole transcript for a caller that asked for a stream. */
export function writeTranscriptionAsStream(reply: TranscriptionReply): string {
  const writer = new TranscriptionReplyWriter();
  const frames = reply.text === '' ? '' : writer.write({ type: 'text-delta', block: 0, text: reply.text });
  if (reply.usage !== undefined) writer.write({ type: 'usage', usage: reply.usage });
  return frames + writer.end();
}

/** `transcript.text.delta` and `transcript.text.done` → neutral events. */
export class TranscriptionReplyReader implements ReplyReader {
  read(data: string): readonly StreamEvent[] {
    const document = parseDocument(data, JSON.parse);
    if (document === undefined) return []; // the meter counts unreadable frames
    const chunk = readTranscriptChunk(document);
    if (chunk !== undefined) return eventsOf(chunk);
    const events: StreamEvent[] = [];
    const delta = textOf(document['delta']);
    if (delta !== undefined) events.push({ type: 'text-delta', block: 0, text: delta });
    const usage = readTokenUsage(document['usage']);
    if (usage !== undefined && usage !== 'invalid') events.push({ type: 'usage', usage });
    return events;
  }

  finish(): readonly StreamEvent[] {
    return [{ type: 'reply-end', finish: { unified: 'stop', raw: undefined } }];
  }
}

/** Neutral events → `transcript.text.delta` and `transcript.text.done`, which repeats the whole text by protocol. */
export class TranscriptionReplyWriter implements ReplyWriter {
  private text = '';
  private usage: Usage | undefined;

  write(event: StreamEvent): string {
    if (event.type === 'usage') this.usage = event.usage;
    if (event.type !== 'text-delta') return '';
    this.text += event.text;
    return `data: ${eventJson({ type: 'transcript.text.delta', delta: event.text })}\n\n`;
  }

  end(): string {
    const usage = this.usage === undefined ? {} : { usage: tokensOf(this.usage) };
    return `data: ${eventJson({ type: 'transcript.text.done', text: this.text, ...usage })}\n\n`;
  }
}

function tokensOf({ input, output }: Usage): Readonly<Record<string, unknown>> {
  const [inputTokens, outputTokens] = [input.total ?? 0, output.total ?? 0];
  const audio = input.audio ?? 0;
  return {
    type: 'tokens',
    input_tokens: inputTokens,
    input_token_details: { text_tokens: inputTokens - audio, audio_tokens: audio },
    output_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
}

/** `00:01:02,345`. */
function clock(seconds: number, separator: ',' | '.'): string {
  const milliseconds = Math.max(0, Math.round(seconds * 1_000));
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  const rest = String(milliseconds % 1_000).padStart(3, '0');
  return `${two(milliseconds / 3_600_000)}:${two((milliseconds / 60_000) % 60)}:${two((milliseconds / 1_000) % 60)}${separator}${rest}`;
}
