import { JsonCursor } from '../../framing/json-cursor.js';
import type { Usage } from '../../model/usage.js';
import type { EventVerdict, WholeVerdict } from '../contract/reply-meter.js';
import { isDocument } from '../shared/fields/json-fields.js';
import { key, JsonEventMeter, meterCursor, parseSpan } from '../shared/metering/json-event-meter.js';
import { readStopReason } from './finish-reason.js';
import { UsageReport } from './usage.js';
import { refusal } from '../../model/refusals.js';

const QUOTE = 0x22;
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
const LETTER_N = 0x6e;

const TYPE = key('type');
const ID = key('id');
const CONTAINER = key('container');
const FILE_ID = Buffer.from('"file_id"');
const MESSAGE = key('message');
const CONTENT = key('content');
const CONTENT_BLOCK = key('content_block');
const DELTA = key('delta');
const USAGE = key('usage');
const ERROR = key('error');
const TEXT = key('text');
const THINKING = key('thinking');
const PARTIAL_JSON = key('partial_json');
const SIGNATURE = key('signature');
const STOP_REASON = key('stop_reason');
const NAME = key('name');
const INPUT = key('input');
const DATA = key('data');
const CITATION = key('citation');
/** Members with the sentence of failures that are no event. */
const SENTENCES = ['message', 'detail', 'msg', 'err', 'error_msg', 'error_message', 'errors'].map(key);

const cursor = meterCursor;

/** Kinds of content blocks as far as a count needs them. */
type BlockKind = 'text' | 'call' | 'search' | 'sealed' | 'other';

/**
 * Meter of the `anthropic-messages` format. Steps over each event's bytes once; objects are made of usage reports and errors
 * only. Figures of `message_start` and `message_delta` replace each other, nothing is added up.
 */
export class MessagesMeter extends JsonEventMeter {
  private readonly report = new UsageReport();
  private messageId: string | undefined;
  private type = '';
  private sawSentence = false;
  private sawError = false;
  private searches = 0;

  /** Searches that came with results: those are billed, by the piece. */
  override get toolUses(): Usage['tools'] {
    return this.searches === 0 ? undefined : { 'web-search': this.searches };
  }

  override readEvent(data: Buffer, start: number, end: number): EventVerdict {
    if (start >= end) return 'silent';
    if (!this.read(data, start, end)) return 'malformed';
    if (this.sawError) return 'error';
    if (this.type === '') {
      if (!this.sawSentence) return 'malformed';
      // A failure that does not call itself one: forwarded as it stands it could show the channel's key.
      return this.failedWith(parseSpan(data, start, end));
    }
    if (this.type === 'message_stop') return 'end';
    return this.sawContent ? 'content' : 'setup';
  }

  override readWhole(body: Buffer): WholeVerdict {
    this.produced.borrow();
    if (!this.read(body, 0, body.length)) return 'malformed';
    if (this.sawError) return 'error';
    return this.isProvenAnswer ? 'answer' : 'empty';
  }

  private read(bytes: Buffer, start: number, end: number): boolean {
    this.type = '';
    this.beginDocument();
    this.sawSentence = false;
    this.sawError = false;
    cursor.reset(bytes, start, end);
    if (!cursor.enterObject()) return false;
    while (cursor.nextMember()) {
      if (cursor.keyIs(TYPE)) this.type = this.shortText();
      else if (cursor.keyIs(DELTA)) this.delta();
      else if (cursor.keyIs(CONTENT_BLOCK)) this.block();
      else if (cursor.keyIs(USAGE)) this.usageReport();
      else if (cursor.keyIs(CONTENT)) this.blocks();
      else if (cursor.keyIs(STOP_REASON)) this.stopReason();
      else if (cursor.keyIs(CONTAINER)) this.container();
      else if (cursor.keyIs(ID)) this.recordIssuedId(this.shortText(), 'asked');
      else if (cursor.keyIs(ERROR)) this.error(start, end);
      else if (cursor.keyIs(MESSAGE) && cursor.peek() === OPEN_OBJECT) this.message();
      else if (cursor.keyIsOneOf(SENTENCES)) this.sentence();
      else cursor.skipValue();
    }
    if (!cursor.isAtEnd()) return false;
    this.endDocument();
    if (this.type === 'error' && !this.sawError) {
      this.sawError = true;
      this.errorDocument = parseSpan(bytes, start, end);
    }
    return true;
  }

  /** The message a stream begins with. A second one before the first ended is two answers in one stream. */
  private message(): void {
    cursor.enterObject();
    while (cursor.nextMember()) {
      if (cursor.keyIs(ID)) this.identify(this.shortText());
      else if (cursor.keyIs(CONTAINER)) this.container();
      else if (cursor.keyIs(USAGE)) this.usageReport();
      else if (cursor.keyIs(CONTENT)) this.blocks();
      else if (cursor.keyIs(STOP_REASON)) this.stopReason();
      else cursor.skipValue();
    }
  }

  private identify(id: string): void {
    if (this.messageId === undefined || this.messageId === id) {
      this.messageId = id;
      this.recordIssuedId(id, 'asked');
      return;
    }
    this.sawError = true;
    this.errorDocument ??= {
      error: {
        type: 'api_error',
        message: refusal('begun-again').message,
      },
    };
  }

  private blocks(): void {
    const first = cursor.peek();
    if (first !== OPEN_ARRAY) {
      cursor.skipValue();
      return;
    }
    cursor.enterArray();
    while (cursor.nextElement()) {
      if (cursor.peek() === OPEN_OBJECT) this.block();
      else cursor.skipValue();
    }
  }

  /** A block whole, or as it begins. Members come in any order, so the kind is looked for first. */
  private block(): void {
    if (cursor.peek() !== OPEN_OBJECT) {
      cursor.skipValue();
      return;
    }
    const kind = this.kindAhead();
    if (kind !== 'text') this.sawContent = true;
    if (kind === 'other' || kind === 'search' || kind === 'sealed') this.hasUnread = true;
    const from = cursor.at;
    cursor.enterObject();
    while (cursor.nextMember()) {
      if (cursor.keyIs(TEXT)) this.takeText();
      else if (cursor.keyIs(THINKING)) this.thought();
      else if (cursor.keyIs(SIGNATURE) || (kind === 'sealed' && cursor.keyIs(DATA))) this.seal();
      else if (kind === 'search' && cursor.keyIs(CONTENT)) {
        // A search that failed has an object here.
        if (cursor.peek() === OPEN_ARRAY) this.searches += 1;
        cursor.skipValue();
      } else if (kind === 'call' && cursor.keyIs(NAME)) {
        this.takeToolName();
      } else if (kind === 'call' && cursor.keyIs(INPUT)) this.input();
      else cursor.skipValue();
    }
    if (kind === 'other') this.files(from, cursor.at);
  }

  /** Looks at the block's `type` and comes back. */
  private kindAhead(): BlockKind {
    const { at } = cursor;
    const found = blockTypeAt(cursor.bytes, at, cursor.end);
    if (found === 'text') return 'text';
    if (found === 'thinking' || found === 'redacted_thinking') {
      this.mayHideReasoning = true;
      return found === 'thinking' ? 'text' : 'sealed';
    }
    if (found === 'web_search_tool_result') return 'search';
    return found.endsWith('tool_use') ? 'call' : 'other';
  }

  private delta(): void {
    if (cursor.peek() !== OPEN_OBJECT) {
      cursor.skipValue();
      return;
    }
    cursor.enterObject();
    while (cursor.nextMember()) {
      if (cursor.keyIs(TEXT) || cursor.keyIs(PARTIAL_JSON)) this.takeText();
      else if (cursor.keyIs(THINKING)) this.thought();
      else if (cursor.keyIs(SIGNATURE)) this.seal();
      else if (cursor.keyIs(CITATION)) this.mark();
      else if (cursor.keyIs(STOP_REASON)) this.stopReason();
      else if (cursor.keyIs(CONTAINER)) this.container();
      else if (this.type === 'content_block_delta' && !cursor.keyIs(TYPE)) this.takeUnknown(cursor);
      else cursor.skipValue();
    }
  }

  /** The container programs ran in; a later request may go on in it. */
  private container(): void {
    cursor.peek();
    const from = cursor.at;
    if (!cursor.skipValue()) return;
    const given = parseSpan(cursor.bytes, from, cursor.at);
    const id = isDocument(given) ? given['id'] : undefined;
    if (typeof id === 'string') this.recordIssuedId(id, 'always');
  }

  /** Files a program of the vendor's wrote. */
  private files(from: number, to: number): void {
    const text = cursor.bytes.subarray(from, to);
    if (!text.includes(FILE_ID)) return;
    for (const [, id] of text.toString('utf8').matchAll(/"file_id"\s*:\s*"([\w-]+)"/g))
      this.recordIssuedId(id, 'always');
  }

  /** Thoughts of the model, or a summary of them. */
  private thought(): void {
    const before = this.produced.totalBytes;
    this.takeText();
    this.produced.shownReasoningBytes += this.produced.totalBytes - before;
  }

  private seal(): void {
    this.takeSealed(this.mark());
  }

  /** Something that proves an answer and is no text: a signature, a citation. @returns its bytes */
  private mark(): number {
    const first = cursor.peek();
    const from = cursor.at;
    if (!cursor.skipValue() || first === LETTER_N || cursor.at - from <= 2) return 0;
    this.sawContent = true;
    return cursor.at - from - 2;
  }

  private input(): void {
    const first = cursor.peek();
    const from = cursor.at;
    if (!cursor.skipValue() || first !== OPEN_OBJECT || cursor.at - from <= 2) return;
    this.produced.appendText(JSON.stringify(parseSpan(cursor.bytes, from, cursor.at)));
  }

  private stopReason(): void {
    const reason = this.shortText();
    // Only the end of a turn may be the end of nothing: a stop sequence or a pause ends something.
    if (reason === '') return;
    const { unified } = readStopReason(reason, null);
    this.takeFinish(unified, unified !== 'other' && reason !== 'end_turn');
  }

  private usageReport(): void {
    const first = cursor.peek();
    const from = cursor.at;
    if (!cursor.skipValue() || first === LETTER_N) return;
    const merged = this.report.merge(parseSpan(cursor.bytes, from, cursor.at));
    this.serviceTier = this.report.serviceTier();
    this.takeUsage(merged === 'invalid' ? merged : this.report.charged());
  }

  private error(start: number, end: number): void {
    const first = cursor.peek();
    const from = cursor.at;
    if (!cursor.skipValue() || first === LETTER_N || cursor.at - from <= 2) return;
    this.sawError = true;
    this.errorDocument ??= parseSpan(cursor.bytes, start, end);
  }

  private sentence(): void {
    const first = cursor.peek();
    const from = cursor.at;
    if (cursor.skipValue() && first !== LETTER_N && cursor.at - from > 2) this.sawSentence = true;
  }

  private shortText(): string {
    const first = cursor.peek();
    const from = cursor.at + 1;
    if (!cursor.skipValue() || first !== QUOTE) return '';
    return cursor.bytes.toString('latin1', from, Math.min(cursor.at - 1, from + MAX_NAME_BYTES));
  }
}

const MAX_NAME_BYTES = 128;

/** Looks ahead into one object, beside the cursor that walks the document. */
const ahead = new JsonCursor();

function blockTypeAt(bytes: Buffer, start: number, end: number): string {
  ahead.reset(bytes, start, end);
  if (!ahead.enterObject()) return '';
  while (ahead.nextMember()) {
    const isType = ahead.keyIs(TYPE);
    const first = ahead.peek();
    const from = ahead.at + 1;
    if (!ahead.skipValue()) return '';
    if (isType)
      return first === QUOTE
        ? bytes.toString('latin1', from, Math.min(ahead.at - 1, from + MAX_NAME_BYTES))
        : '';
  }
  return '';
}
