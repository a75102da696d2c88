import { JsonCursor } from '../../framing/json-cursor.js';
import type { CallShape } from '../../model/call.js';
import type { Usage } from '../../model/usage.js';
import { isDocument } from '../shared/fields/json-fields.js';
import { ReplyMeter, type EventVerdict, type WholeVerdict } from '../contract/reply-meter.js';
import { hasContentAt } from '../contract/unknown-content.js';
import { tokensOfMade } from './rules.js';
import { readImageUsage } from './usage.js';
import { parseSpan } from '../shared/metering/json-event-meter.js';

const QUOTE = 0x22;
const DONE = Buffer.from('[DONE]');
/** Members with an image, or with the reason why there is none. */
const IMAGE_FIELDS: ReadonlySet<string> = new Set([
  'revised_prompt',
  'error',
  'code',
  'message',
  'size',
  'quality',
  'type',
  'object',
  'status',
  'id',
  'output_format',
  'background',
  'mime_type',
  'finish_reason',
  'raiFilteredReason',
  'reason',
]);

/**
 * Meter of image replies: counts images without looking into them, and takes the tokens of vendors that count
 * them. An image that failed has no address and no bytes, and is not counted.
 */
export class ImageMeter extends ReplyMeter {
  private readonly cursor = new JsonCursor();
  private partials = 0;
  /** Size and quality from the reply. */
  private quality: string | undefined;
  private size: string | undefined;

  constructor(private readonly shape: CallShape) {
    super();
    this.units = 0;
  }

  override ownCount(): Usage {
    const { promptTokens } = this.shape;
    // An image that was begun costs its full price: the vendor charges it too.
    const made = Math.max(this.units ?? 0, this.partials > 0 ? 1 : 0);
    return {
      input: { total: promptTokens },
      output: { total: made * tokensOfMade(this.shape, this.quality, this.size) },
    };
  }

  override get ownCountReason(): string {
    return this.partials > 0 && this.units === 0
      ? 'cut after a partial picture, which is charged as a whole one: so does the vendor'
      : '';
  }

  override readEvent(data: Buffer, start: number, end: number): EventVerdict {
    if (start === end) return 'silent';
    if (end - start === DONE.length && data.compare(DONE, 0, DONE.length, start, end) === 0) return 'end';
    const { cursor } = this;
    cursor.reset(data, start, end);
    if (!cursor.enterObject()) return 'malformed';
    let type = '';
    let hasPicture = false;
    let error: unknown;
    while (cursor.nextMember()) {
      const name = cursor.keyText();
      const first = cursor.peek();
      const from = cursor.at;
      if (!cursor.skipValue()) return 'malformed';
      if (name === 'type' && first === QUOTE) type = data.toString('latin1', from + 1, cursor.at - 1);
      else if (name === 'b64_json' || name === 'url') hasPicture ||= first === QUOTE && cursor.at - from > 2;
      else if (name === 'usage') this.report(data, from, cursor.at);
      else if (name === 'quality' || name === 'size') this.note(name, data, from, cursor.at);
      else if (name === 'error') error = parseSpan(data, from, cursor.at);
    }
    if (!cursor.isAtEnd()) return 'malformed';
    if (type === 'error' || hasContent(error)) return this.failedWith(parseSpan(data, start, end));
    if (type.endsWith('.completed') || type.endsWith('_succeeded')) {
      if (!hasPicture && this.units === 0 && this.usage === undefined) return 'setup';
      if (hasPicture) this.count();
      this.hasFinish = true;
      this.sawLastEvent = type.endsWith('.completed') && (this.units ?? 0) >= this.shape.choices;
      return 'content';
    }
    if (!hasPicture) return 'setup';
    this.partials += 1;
    return 'content';
  }

  override readWhole(body: Buffer): WholeVerdict {
    const { cursor } = this;
    cursor.reset(body, 0, body.length);
    if (!cursor.enterObject()) return 'malformed';
    let error: unknown;
    while (cursor.nextMember()) {
      const name = cursor.keyText();
      cursor.peek();
      const from = cursor.at;
      if (name === 'data' && cursor.enterArray()) {
        while (cursor.nextElement()) if (this.readPicture()) this.count();
        continue;
      }
      if (!cursor.skipValue()) return 'malformed';
      if (name === 'usage') this.report(body, from, cursor.at);
      else if (name === 'quality' || name === 'size') this.note(name, body, from, cursor.at);
      else if (name === 'error') error = parseSpan(body, from, cursor.at);
    }
    if (!cursor.isAtEnd()) return 'malformed';
    if (hasContent(error)) return this.failedWith(parseSpan(body, 0, body.length));
    this.hasFinish = (this.units ?? 0) > 0;
    return this.hasFinish ? 'answer' : 'empty';
  }

  private readPicture(): boolean {
    const { cursor } = this;
    let hasPicture = false;
    let hasUnread = false;
    if (!cursor.enterObject()) {
      cursor.skipValue();
      return false;
    }
    while (cursor.nextMember()) {
      const name = cursor.keyText();
      const first = cursor.peek();
      const from = cursor.at;
      if (!cursor.skipValue()) return false;
      if (name === 'b64_json' || name === 'url') hasPicture ||= first === QUOTE && cursor.at - from > 2;
      else if (!IMAGE_FIELDS.has(name)) hasUnread ||= hasContentAt(cursor.bytes, from, cursor.at);
    }
    // An image under an unknown name was made.
    this.hasUnread ||= hasUnread && !hasPicture;
    return hasPicture || hasUnread;
  }

  private count(): void {
    this.units = (this.units ?? 0) + 1;
    this.produced.extraTokens += tokensOfMade(this.shape, this.quality, this.size);
  }

  private note(name: 'quality' | 'size', bytes: Buffer, from: number, to: number): void {
    if (bytes[from] === QUOTE && to - from < 32) this[name] = bytes.toString('latin1', from + 1, to - 1);
  }

  private report(bytes: Buffer, from: number, to: number): void {
    this.takeUsage(readImageUsage(parseSpan(bytes, from, to)));
  }
}

const hasContent = (error: unknown): boolean =>
  typeof error === 'string' ? error !== '' : isDocument(error) && Object.keys(error).length > 0;
