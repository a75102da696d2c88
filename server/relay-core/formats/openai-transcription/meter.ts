import { JsonCursor } from '../../framing/json-cursor.js';
import type { CallShape } from '../../model/call.js';
import type { Usage } from '../../model/usage.js';
import { tokensOfSeconds } from '../shared/audio/audio-length.js';
import { isDocument, numberOf, type Document } from '../shared/fields/json-fields.js';
import { ReplyMeter, type EventVerdict, type WholeVerdict } from '../contract/reply-meter.js';
import { readAudioEvent } from '../shared/metering/audio-event.js';
import { readTokenUsage } from '../shared/metering/reported-usage.js';
import { isWebPage } from '../shared/fields/web-page.js';
import { hasContentAt } from '../contract/unknown-content.js';
import { readTranscriptChunk, type TranscriptChunk } from './transcript-chunk.js';
import { parseJson } from '../../../common/parse-json.js';

const QUOTE = 0x22;
const OPEN_OBJECT = 0x7b;
const PIECES = ['delta'];
/** Members that are about a transcript. */
const ABOUT_TRANSCRIPT: ReadonlySet<string> = new Set([
  'language',
  'task',
  'id',
  'object',
  'model',
  'created',
  'message',
  'detail',
  'msg',
  'type',
  'status',
]);
const MAX_SECONDS = 48 * 3_600;
/**
 * A vendor may find more in a file than its bytes showed us (sparse audio in a container that is not opened here), but not a day
 * in a minute.
 */
const MAX_OF_OUR_OWN = 16;
const ONE_MINUTE_TOKENS = 1_000;

/**
 * Meter of transcripts: tokens where the vendor counts them, else the seconds it names, else those of the file itself.
 */
export class TranscriptionMeter extends ReplyMeter {
  private readonly cursor = new JsonCursor();
  private seconds: number | undefined;

  constructor(
    private readonly shape: CallShape,
    private readonly format: string,
  ) {
    super();
  }

  override ownCount(): Usage | undefined {
    // Text that was written in pieces is counted as text; a whole transcript is priced by its sound alone.
    if (this.produced.totalBytes > 0) return undefined;
    const { promptTokens } = this.shape;
    const tokens = this.seconds === undefined ? promptTokens : tokensOfSeconds(this.seconds);
    return { input: { total: tokens }, output: { total: 0 } };
  }

  override readEvent(data: Buffer, start: number, end: number): EventVerdict {
    const event = readAudioEvent(data, start, end, PIECES);
    if (typeof event === 'string') return event;
    const { type, pieceFrom, pieceTo, usage } = event;
    if (type === '') {
      const chunk = readTranscriptChunk(parseJson(data.subarray(start, end)));
      if (chunk !== undefined) return this.readChunk(chunk);
    }
    if (usage !== undefined) this.report(parseJson(data.subarray(usage.from, usage.to)));
    if (type === 'error') return this.failedWith(parseJson(data.subarray(start, end)));
    if (pieceTo > pieceFrom) this.produced.append(data, pieceFrom, pieceTo);
    if (type === 'transcript.text.done') {
      this.hasFinish = true;
      this.sawLastEvent = true;
      return 'content';
    }
    return pieceTo > pieceFrom || type === 'transcript.text.segment' ? 'content' : 'setup';
  }

  private readChunk({ text, isLast, usage }: TranscriptChunk): EventVerdict {
    this.usesOtherFormat = true;
    this.takeUsage(usage);
    if (text !== '') this.produced.appendText(text);
    if (isLast) this.hasFinish = true;
    return text !== '' || isLast ? 'content' : usage === undefined ? 'setup' : 'usage-only';
  }

  override readWhole(body: Buffer): WholeVerdict {
    if (isTextFormat(this.format) && transcriptIn(body) === undefined) {
      if (isWebPage(body)) return 'malformed';
      if (body[0] === OPEN_OBJECT && this.isErrorDocument(body)) return 'error';
      this.hasFinish = true;
      return 'answer'; // silence is a transcript too
    }
    const { cursor } = this;
    cursor.reset(body, 0, body.length);
    if (!cursor.enterObject()) return 'malformed';
    let hasText = false;
    let hasUnread = false;
    let hasError = false;
    while (cursor.nextMember()) {
      const name = cursor.keyText();
      const first = cursor.peek();
      const from = cursor.at;
      if (!cursor.skipValue()) return 'malformed';
      if (name === 'text') hasText = first === QUOTE;
      else if (name === 'duration') this.readSeconds(parseJson(body.subarray(from, cursor.at)));
      else if (name === 'usage') this.report(parseJson(body.subarray(from, cursor.at)));
      else if (name === 'error') hasError ||= first !== 0x6e;
      else if (!ABOUT_TRANSCRIPT.has(name)) hasUnread ||= hasContentAt(body, from, cursor.at);
    }
    if (!cursor.isAtEnd()) return 'malformed';
    if (hasError && !hasText) return this.failedWith(parseJson(body));
    // Text under an unknown name was transcribed all the same.
    this.hasUnread = hasUnread && !hasText;
    this.hasFinish = hasText || hasUnread;
    return this.hasFinish ? 'answer' : 'empty';
  }

  private isErrorDocument(body: Buffer): boolean {
    const document = parseJson(body);
    if (!isDocument(document) || !('error' in document)) return false;
    this.errorDocument = document;
    return true;
  }

  /** @param value  seconds; some vendors write them as text */
  private readSeconds(value: unknown): void {
    const seconds = typeof value === 'string' ? Number(value) : numberOf(value);
    if (seconds === undefined || !(seconds > 0 && seconds <= MAX_SECONDS)) return;
    const most = this.shape.promptTokens * MAX_OF_OUR_OWN + ONE_MINUTE_TOKENS;
    if (tokensOfSeconds(seconds) <= most) this.seconds = seconds;
  }

  private report(document: unknown): void {
    if (isDocument(document) && document['type'] === 'duration') {
      this.readSeconds(document['seconds']);
      if (this.seconds !== undefined)
        this.usage = { input: { total: tokensOfSeconds(this.seconds) }, output: { total: 0 } };
      return;
    }
    this.takeUsage(readTokenUsage(document));
  }
}

/** Answers that are no JSON. */
export const isTextFormat = (format: string): boolean =>
  format === 'text' || format === 'srt' || format === 'vtt';

/** A transcript in JSON, as some vendors write it whatever form was requested; undefined = it is none. */
export function transcriptIn(body: Buffer): Document | undefined {
  if (body[0] !== OPEN_OBJECT) return undefined;
  const document = parseJson(body);
  return isDocument(document) && typeof document['text'] === 'string' ? document : undefined;
}
