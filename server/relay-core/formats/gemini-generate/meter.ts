import { JsonCursor } from '../../framing/json-cursor.js';
import type { Usage } from '../../model/usage.js';
import { documentOf } from '../shared/fields/json-fields.js';
import { MediaCount, readServiceTier, laterUsage } from '../shared/metering/reported-usage.js';
import { ReplyMeter, type EventVerdict, type WholeVerdict } from '../contract/reply-meter.js';
import { key, parseSpan, TOKENS_PER_TOOL_CALL } from '../shared/metering/json-event-meter.js';
import { camelled } from '../shared/fields/proto-names.js';
import { readFinishReason } from './finish-reason.js';
import { hasSearched } from './grounding.js';
import { readUsage, withSearch } from './usage.js';
import { refusal } from '../../model/refusals.js';

const QUOTE = 0x22;
const CLOSE_ARRAY = 0x5d;
const LETTER_N = 0x6e;
const LETTER_T = 0x74;
const SPACE = 0x20;
const DIGIT_0 = 0x30;

const CANDIDATES = key('candidates');
const USAGE = key('usageMetadata');
const PROMPT_FEEDBACK = key('promptFeedback');
const ERROR = key('error');
const CONTENT = key('content');
const PARTS = key('parts');
const FINISH_REASON = key('finishReason');
const GROUNDING = key('groundingMetadata');
const TEXT = key('text');
const FUNCTION_CALL = key('functionCall');
const NAME = key('name');
const ARGS = key('args');
const PARTIAL_ARGS = key('partialArgs');
const INLINE_DATA = key('inlineData');
const FILE_DATA = key('fileData');
const MIME_TYPE = key('mimeType');
const DATA = key('data');
/** Start of the media type of audio in JSON. */
const AUDIO_TYPE = '"audio/';
const EXECUTABLE_CODE = key('executableCode');
const CODE_RESULT = key('codeExecutionResult');
const CODE_TEXTS = ['code', 'output'].map(key);
const PARTIAL_TEXTS = ['stringValue', 'jsonPath'].map(key);
/** Members of a part that are about it and not part of the answer. */
const ABOUT_PART = ['thought', 'thoughtSignature', 'partMetadata', 'videoMetadata', 'mediaResolution'].map(
  key,
);
/** Members with the sentence of failures without an `error` member. */
const SENTENCES = ['message', 'detail', 'msg'].map(key);

/** The vendor's word for a feedback that blocks nothing. */
const NO_REASON = 'BLOCK_REASON_UNSPECIFIED';

/** Most elements of one list that are read: more would only take time. */
const MAX_ELEMENTS = 16_384;

/** Longest report that is kept for later; real ones are a tenth of it. */
const MAX_LATE_BYTES = 2_048;
const PROMPT_COUNT = Buffer.from('"promptTokenCount":');

/** Returns true when a report counts a prompt: then it replaces the one before. */
function namesPrompt(bytes: Buffer, start: number, end: number): boolean {
  const at = bytes.indexOf(PROMPT_COUNT, start);
  if (at === -1 || at + PROMPT_COUNT.length >= end) return false;
  let digit = at + PROMPT_COUNT.length;
  while (bytes[digit] === SPACE) digit += 1;
  const value = bytes[digit] as number;
  return value > DIGIT_0 && value <= DIGIT_0 + 9;
}

/** Shared by all meters: a document is walked in one go, so no two meters ever stand on it. */
const cursor = new JsonCursor();

/**
 * Meter of the `gemini-generate` format. Steps over each event's bytes once; objects are made of usage reports, of
 * grounding and of failures only. Streams have no end marker: the reason of the ending is the end, and a closing
 * bracket where the stream is an array.
 */
export class GenerateMeter extends ReplyMeter {
  /** Images and other files of the answer. */
  protected media = 0;
  private readonly mediaCount = new MediaCount(this.produced);
  private sawCandidates = false;
  private sawUsage = false;
  private sawSentence = false;
  private sawError = false;
  private feedback: unknown;
  private report: Usage | undefined;
  /** The last report, not read yet. */
  private late: Buffer | null = null;
  private lateBytes = 0;
  private hasSearched = false;
  private readonly readCandidate = (): void => this.candidate();
  private readonly readPart = (): void => this.part();
  private readonly readPiece = (): void => this.texts(PARTIAL_TEXTS);

  override readEvent(data: Buffer, start: number, end: number): EventVerdict {
    if (start >= end) return 'silent';
    if (end - start === 1 && data[start] === CLOSE_ARRAY) return 'end';
    if (!this.walk(data, start, end)) return 'malformed';
    if (this.sawError) return 'error';
    return this.sawContent ? 'content' : 'setup';
  }

  override readWhole(body: Buffer): WholeVerdict {
    this.produced.borrow();
    if (!this.walk(body, 0, body.length)) return 'malformed';
    if (this.sawError) return 'error';
    return this.isProvenAnswer ? 'answer' : 'empty';
  }

  private walk(bytes: Buffer, start: number, end: number): boolean {
    this.beginDocument();
    this.sawCandidates = false;
    this.sawUsage = false;
    this.sawSentence = false;
    this.sawError = false;
    this.feedback = undefined;
    cursor.reset(bytes, start, end);
    if (!cursor.enterObject()) return false;
    while (cursor.nextMember()) {
      if (cursor.keyIs(CANDIDATES)) this.eachElement(this.readCandidate);
      else if (cursor.keyIs(USAGE)) this.usageReport();
      else if (cursor.keyIs(PROMPT_FEEDBACK)) this.feedback = this.take();
      else if (cursor.keyIs(ERROR)) this.error(start, end);
      else if (cursor.keyIsOneOf(SENTENCES)) this.sentence();
      else cursor.skipValue();
    }
    if (!cursor.isAtEnd()) return false;
    this.endDocument();
    this.judge(bytes, start, end);
    return true;
  }

  /** Kind of a document without an answer: a refusal of the prompt, or a failure without an error member. */
  private judge(bytes: Buffer, start: number, end: number): void {
    if (this.sawError || this.sawContent) return;
    const { blockReason } = documentOf(this.feedback) as { readonly blockReason?: unknown };
    if (typeof blockReason === 'string' && blockReason !== NO_REASON && !this.hasFinish) {
      // A refusal is an answer: nothing comes after it, and its figures are the last ones.
      this.takeFinish('content-filter');
      // The vendor does not charge for tokens that it does not count.
      if (!this.sawUsage && this.report === undefined)
        this.usage = { input: { total: 0 }, output: { total: 0 } };
      this.endDocument();
      return;
    }
    if (this.sawSentence && !this.sawCandidates && !this.sawUsage) {
      this.sawError = true;
      this.errorDocument = parseSpan(bytes, start, end);
    }
  }

  private candidate(): void {
    if (!this.enterObject()) return;
    this.sawCandidates = true;
    while (cursor.nextMember()) {
      if (cursor.keyIs(CONTENT)) this.content();
      else if (cursor.keyIs(FINISH_REASON)) this.finishReason();
      else if (cursor.keyIs(GROUNDING)) this.hasSearched = hasSearched(this.take()) || this.hasSearched;
      else cursor.skipValue();
    }
  }

  private content(): void {
    if (!this.enterObject()) return;
    while (cursor.nextMember()) {
      if (cursor.keyIs(PARTS)) this.eachElement(this.readPart);
      else cursor.skipValue();
    }
  }

  private part(): void {
    if (!this.enterObject()) return;
    while (cursor.nextMember()) {
      if (cursor.keyIs(TEXT)) this.text();
      else if (cursor.keyIs(FUNCTION_CALL)) this.call();
      else if (cursor.keyIs(INLINE_DATA) || cursor.keyIs(FILE_DATA)) this.file();
      else if (cursor.keyIs(EXECUTABLE_CODE) || cursor.keyIs(CODE_RESULT)) this.texts(CODE_TEXTS);
      else if (cursor.keyIsOneOf(ABOUT_PART)) cursor.skipValue();
      else this.takeUnknown(cursor);
    }
  }

  /** An image, or a piece of raw audio (`audio/L16`). */
  private file(): void {
    this.sawContent = true;
    this.media += 1;
    if (!this.enterObject()) return;
    let isSound = false;
    let size = 0;
    while (cursor.nextMember()) {
      const isType = cursor.keyIs(MIME_TYPE);
      cursor.peek();
      const from = cursor.at;
      if (!cursor.skipValue()) return;
      if (isType) isSound = cursor.bytes.toString('latin1', from, from + AUDIO_TYPE.length) === AUDIO_TYPE;
      else if (cursor.keyIs(DATA)) size = cursor.at - from;
    }
    if (isSound) this.mediaCount.addRawAudio(size);
    else this.mediaCount.addImage();
  }

  private call(): void {
    if (!this.enterObject()) return;
    this.sawContent = true;
    while (cursor.nextMember()) {
      if (cursor.keyIs(NAME)) {
        this.text();
        this.produced.extraTokens += TOKENS_PER_TOOL_CALL;
      } else if (cursor.keyIs(ARGS)) this.callArguments();
      else if (cursor.keyIs(PARTIAL_ARGS)) this.eachElement(this.readPiece);
      else cursor.skipValue();
    }
  }

  /** Arguments are an object here, but text to the token count: kept as the inside of a JSON string. */
  private callArguments(): void {
    if (cursor.peek() === QUOTE) return this.text();
    const value = this.take();
    if (value !== null && value !== undefined) this.produced.appendText(JSON.stringify(value));
  }

  private texts(names: readonly Buffer[]): void {
    if (!this.enterObject()) return;
    while (cursor.nextMember()) {
      if (cursor.keyIsOneOf(names)) this.text();
      else cursor.skipValue();
    }
  }

  private text(): void {
    const first = cursor.peek();
    const from = cursor.at + 1;
    if (!cursor.skipValue() || first !== QUOTE || cursor.at - 1 <= from) return;
    this.produced.append(cursor.bytes, from, cursor.at - 1);
    this.sawContent = true;
  }

  private finishReason(): void {
    const reason = this.take();
    if (typeof reason !== 'string' || reason === '') return;
    const { unified } = readFinishReason(reason, false);
    if (unified === 'error') {
      this.sawError = true;
      this.unifiedFinish = unified;
      this.errorDocument ??= {
        error: { message: refusal('ended-with', { reason }).message, status: reason },
      };
      return;
    }
    this.takeFinish(unified);
  }

  /** Every event of a stream has a report, and the last one counts: it is kept as bytes until it is wanted. */
  private usageReport(): void {
    const first = cursor.peek();
    const from = cursor.at;
    if (!cursor.skipValue() || first === LETTER_N) return;
    this.sawUsage = true;
    const { bytes, at } = cursor;
    if (!namesPrompt(bytes, from, at)) this.readLate();
    if (at - from > MAX_LATE_BYTES) {
      this.lateBytes = 0;
      this.takeReport(parseSpan(bytes, from, at));
      return;
    }
    this.late ??= Buffer.allocUnsafe(MAX_LATE_BYTES);
    bytes.copy(this.late, 0, from, at);
    this.lateBytes = at - from;
  }

  protected override readLate(): void {
    if (this.lateBytes > 0 && this.late !== null) {
      const value = parseSpan(this.late, 0, this.lateBytes);
      this.lateBytes = 0;
      this.takeReport(value);
    }
    if (this.report !== undefined) this.usage = withSearch(this.report, this.hasSearched);
  }

  private takeReport(value: unknown): void {
    const report = camelled(value);
    this.serviceTier = readServiceTier(documentOf(report)['trafficType']) ?? this.serviceTier;
    const usage = readUsage(report);
    if (usage === 'invalid') this.usageIsInvalid = true;
    else if (usage !== undefined) {
      this.report = laterUsage(this.report, usage);
      this.usageIsInvalid = false;
    }
  }

  private error(start: number, end: number): void {
    const first = cursor.peek();
    if (!cursor.skipValue() || first === LETTER_N || first === LETTER_T) return;
    this.sawError = true;
    this.errorDocument = parseSpan(cursor.bytes, start, end);
  }

  private sentence(): void {
    const first = cursor.peek();
    const from = cursor.at;
    if (cursor.skipValue() && first === QUOTE && cursor.at - from > 2) this.sawSentence = true;
  }

  /** False = it is no object, and was passed. */
  private enterObject(): boolean {
    cursor.peek();
    if (cursor.enterObject()) return true;
    cursor.skipValue();
    return false;
  }

  private eachElement(read: () => void): void {
    cursor.peek();
    if (!cursor.enterArray()) {
      cursor.skipValue();
      return;
    }
    let count = 0;
    while (cursor.nextElement()) {
      count += 1;
      if (count > MAX_ELEMENTS) {
        cursor.fault = 'too-many-values';
        return;
      }
      read();
    }
  }

  /** The value the cursor stands on, as an object. */
  private take(): unknown {
    cursor.peek();
    const from = cursor.at;
    return cursor.skipValue() ? parseSpan(cursor.bytes, from, cursor.at) : undefined;
  }
}
