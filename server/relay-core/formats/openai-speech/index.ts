import { spliceBody } from '../shared/requests/splice-body.js';
import type {
  ApiFormat,
  CallTarget,
  ParsedCall,
  ReplyReader,
  ReplyWriter,
  RequestEdits,
  WrittenRequest,
} from '../contract/api-format.js';
import { AudioLength } from '../shared/audio/audio-length.js';
import type { CallShape } from '../../model/call.js';
import type { Usage } from '../../model/usage.js';
import {
  type Document,
  documentOf,
  given,
  isDocument,
  numberOf,
  parseDocument,
  setGiven,
  textOf,
} from '../shared/fields/json-fields.js';
import { isWebPage } from '../shared/fields/web-page.js';
import { type EventVerdict, ReplyMeter, type WholeVerdict } from '../contract/reply-meter.js';
import { readAudioEvent } from '../shared/metering/audio-event.js';
import { readTokenUsage } from '../shared/metering/reported-usage.js';
import { parseJson } from '../../../common/parse-json.js';
import { ok, type Result } from '../../../common/result.js';
import type { RelayError } from '../../model/relay-error.js';
import type { SpeechReply, SpeechRequest } from '../../model/speech.js';
import type { StreamEvent } from '../../model/stream-event.js';
import { eventJson } from '../shared/metering/event-data.js';
import { warnOfOtherFormatFields } from '../shared/fields/dropped-fields.js';
import type { Warning } from '../../model/warning.js';
import { formatOptions, writtenBody } from '../shared/requests/drop-refused-members.js';
import type { ScannedObject } from '../../framing/json-splice.js';
import { keepUnknown } from '../../model/vendor-options.js';
import { estimateFields } from '../shared/requests/estimate-prompt.js';
import { invalidRequest, readModelHead, readSmall } from '../shared/fields/request-fields.js';
import { JsonCall } from '../shared/requests/json-call.js';

/** Key of this format in vendor options and registries. */
export const SPEECH_FORMAT = 'openai-speech';

/** The model of a request that names none. */
const DEFAULT_MODEL = 'tts-1';
const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  'model',
  'input',
  'voice',
  'instructions',
  'response_format',
  'speed',
  'stream_format',
]);
/** Tokens of audio per character: speech has some fifteen characters a second, slow voices fewer. */
const HELD_TOKENS_PER_CHARACTER = 2;

/** Newer speech models are priced by tokens, the others by characters. */
const countsTokens = (model: string): boolean => /(?:^|\/)(?:gpt|gemini)-/.test(model);

const TYPES: ReadonlyMap<string, string> = new Map([
  ['mp3', 'audio/mpeg'],
  ['opus', 'audio/ogg'],
  ['aac', 'audio/aac'],
  ['flac', 'audio/flac'],
  ['wav', 'audio/wav'],
  ['pcm', 'audio/pcm'],
]);

/** Vendors name the piece one way or the other. */
const PIECES = ['audio', 'delta'];

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

/** Meter of speech: how long the sound is, unless the vendor counts tokens in its stream. */
export class SpeechMeter extends ReplyMeter {
  private readonly length: AudioLength;

  constructor(
    private readonly shape: CallShape,
    format: string,
  ) {
    super();
    this.length = new AudioLength(format);
  }

  override ownCount(): Usage {
    const tokens = this.length.tokens();
    return { input: { total: this.shape.promptTokens }, output: { total: tokens, audio: tokens } };
  }

  override readBytes(chunk: Buffer): void {
    this.length.push(chunk);
  }

  override finishBytes(): WholeVerdict {
    this.hasFinish = this.length.totalBytes > 0;
    return this.hasFinish ? 'answer' : 'empty';
  }

  /** A whole document instead of sound is a failure, or sound whose type the vendor forgot. */
  override readWhole(body: Buffer): WholeVerdict {
    if (body.length === 0) return 'empty';
    if (isWebPage(body)) return 'malformed';
    const document = readJson(body, 0, body.length);
    if (document === undefined) {
      this.readBytes(body);
      return this.finishBytes();
    }
    return this.failedWith(document);
  }

  override readEvent(data: Buffer, start: number, end: number): EventVerdict {
    const event = readAudioEvent(data, start, end, PIECES);
    if (typeof event === 'string') return event;
    const { type, pieceFrom, pieceTo, usage } = event;
    if (usage !== undefined) this.report(readJson(data, usage.from, usage.to));
    if (type === 'error') return this.failedWith(readJson(data, start, end));
    if (pieceTo > pieceFrom)
      this.readBytes(Buffer.from(data.toString('latin1', pieceFrom, pieceTo), 'base64'));
    if (type.endsWith('.done')) this.hasFinish = this.sawLastEvent = true;
    return pieceTo > pieceFrom ? 'content' : 'setup';
  }

  private report(document: unknown): void {
    const usage = readTokenUsage(document);
    if (usage === 'invalid') this.usageIsInvalid = true;
    else if (usage !== undefined) {
      // All output is audio: the vendor's figure is of audio, though it has no detail for it.
      const { total, audio } = usage.output;
      this.usage =
        audio === undefined && total !== undefined ? { ...usage, output: { total, audio: total } } : usage;
    }
  }
}

function readJson(bytes: Buffer, from: number, to: number): unknown {
  const value = parseJson(bytes.subarray(from, to));
  return isDocument(value) || Array.isArray(value) ? value : undefined;
}

/** Mime type of the requested format; a vendor without MP3 answers as WAV where none was requested. */
export function speechType(call: ParsedCall<'speak'>, written?: Buffer): string {
  const format = call instanceof ParsedSpeechCall ? call.format : 'mp3';
  if (format === 'mp3' && written?.toString('latin1', 0, 4) === 'RIFF') return 'audio/wav';
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

/** Understands a speech request from its top-level members. Fails: invalid-request, with the name of the field. */
export function parseSpeechCall(body: Buffer, target: CallTarget): Result<ParsedSpeechCall, RelayError> {
  const head = readModelHead(body, target.pathModel, DEFAULT_MODEL);
  if (!head.ok) return head;
  const { document, model } = head.value;
  const input = readSmall(document, 'input');
  if (typeof input !== 'string' || input.trim() === '') {
    return invalidRequest("Missing required parameter: 'input', the text to be spoken.", 'input');
  }
  const speed = readSmall(document, 'speed');
  if (speed !== undefined && speed !== null && !(typeof speed === 'number' && speed > 0 && speed <= 10)) {
    return invalidRequest("Invalid 'speed': expected a number such as 1.0.", 'speed');
  }
  const format = readSmall(document, 'response_format') ?? 'mp3';
  if (typeof format !== 'string') {
    return invalidRequest("Invalid 'response_format': expected a string.", 'response_format');
  }
  const characters = Array.from(input).length;
  const slowness = typeof speed === 'number' ? 1 / speed : 1;
  const shape: CallShape = {
    operation: 'speak',
    model,
    stream: readSmall(document, 'stream_format') === 'sse',
    outputCap: undefined,
    choices: 1,
    promptTokens: countsTokens(model)
      ? estimateFields(document, { inputs: ['input', 'instructions'] })
      : characters,
    wantsStreamUsage: false,
    heldOutput: { tokens: Math.ceil(characters * HELD_TOKENS_PER_CHARACTER * slowness) + 100, kind: 'audio' },
  };
  return ok(new ParsedSpeechCall(shape, document, format));
}

export class ParsedSpeechCall extends JsonCall<'speak'> {
  constructor(
    shape: CallShape,
    document: ScannedObject,
    /** mp3, opus, aac, flac, wav, pcm, or a vendor's word. */
    readonly format: string,
  ) {
    super(shape, document, (body) => ok(readRequest(documentOf(body))));
  }
}

function readRequest(document: Document): SpeechRequest {
  const { voice } = document;
  return {
    text: textOf(document['input']) ?? '',
    voice: textOf(voice) ?? (isDocument(voice) ? textOf(voice['id']) : undefined),
    ...given('instructions', textOf(document['instructions'])),
    ...given('format', textOf(document['response_format'])),
    ...given('speed', numberOf(document['speed'])),
    ...given('vendorOptions', keepUnknown(SPEECH_FORMAT, document, KNOWN_FIELDS)),
  };
}
