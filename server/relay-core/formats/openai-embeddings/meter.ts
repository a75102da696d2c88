import { JsonCursor } from '../../framing/json-cursor.js';
import { isDocument } from '../shared/fields/json-fields.js';
import { ReplyMeter, type WholeVerdict } from '../contract/reply-meter.js';
import { readEmbeddingUsage } from './usage.js';
import { parseSpan } from '../shared/metering/json-event-meter.js';

const USAGE_KEY = Buffer.from('"usage"');
const CLOSE_OBJECT = 0x7d;
const COLON = 0x3a;
const COMMA = 0x2c;

/** Replies up to this size are read from the front: cheap, and nothing is left to chance. */
const SMALL_BYTES = 16 * 1024;

/**
 * Meter of embedding replies. Vectors are megabytes of numbers and the usage stands behind them, so large replies are
 * read from the tail; a reply without usage there is read whole.
 */
export class EmbeddingMeter extends ReplyMeter {
  private readonly cursor = new JsonCursor();

  override readWhole(body: Buffer): WholeVerdict {
    if (body.length > SMALL_BYTES && this.readTail(body)) return 'answer';
    const { cursor } = this;
    cursor.reset(body, 0, body.length);
    let hasData = false;
    if (!cursor.enterObject()) return 'malformed';
    while (cursor.nextMember()) {
      const name = cursor.keyText();
      cursor.peek();
      const from = cursor.at;
      if (!cursor.skipValue()) return 'malformed';
      if (name === 'data') hasData = body[from] === 0x5b && cursor.at - from > 2;
      else if (name === 'usage') this.report(body, from, cursor.at);
      else if (name === 'error' && body[from] !== 0x6e && hasContent(body, from, cursor.at)) {
        this.errorDocument = parseSpan(body, 0, body.length);
      }
    }
    if (!cursor.isAtEnd()) return 'malformed';
    if (this.errorDocument !== undefined) return 'error';
    this.hasFinish = hasData;
    return hasData ? 'answer' : 'empty';
  }

  /** Reads `"usage":{…}` when nothing but more members and the closing brace follow it. */
  private readTail(body: Buffer): boolean {
    const at = body.lastIndexOf(USAGE_KEY);
    if (at === -1) return false;
    const { cursor } = this;
    cursor.reset(body, at + USAGE_KEY.length, body.length);
    if (cursor.peek() !== COLON) return false;
    cursor.at += 1;
    cursor.peek();
    const from = cursor.at;
    if (!cursor.skipValue()) return false;
    const to = cursor.at;
    while (cursor.peek() === COMMA) {
      cursor.at += 1;
      cursor.peek();
      if (!cursor.skipValue() || cursor.peek() !== COLON) return false;
      cursor.at += 1;
      if (!cursor.skipValue()) return false;
    }
    if (cursor.peek() !== CLOSE_OBJECT) return false;
    cursor.at += 1;
    if (!cursor.isAtEnd()) return false;
    this.report(body, from, to);
    this.hasFinish = true;
    return this.usage !== undefined;
  }

  private report(body: Buffer, from: number, to: number): void {
    this.takeUsage(readEmbeddingUsage(parseSpan(body, from, to)));
  }
}

function hasContent(body: Buffer, from: number, to: number): boolean {
  const error = parseSpan(body, from, to);
  return typeof error === 'string' ? error !== '' : isDocument(error) && Object.keys(error).length > 0;
}
