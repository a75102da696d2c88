import { STATUS_CODES } from 'node:http';
import type { RawReply, ReplyFields } from '../raw-reply.js';

/** Larger pieces are not copied to save a write. */
const JOINED_BYTES = 16 * 1024;
const NO_FIELD_VALUE = /[^\t\x20-\x7e\x80-\xff]/;
const FIELD_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const LINE_END = '\r\n';
const LAST_CHUNK = '0\r\n\r\n';
const LAST_CHUNK_BYTES = Buffer.from(`\r\n${LAST_CHUNK}`);

/** What a reply asks of its connection. */
export interface ReplyCarrier {
  readonly isGone: boolean;
  /** Everything written was handed to the system. */
  readonly isFlushed: boolean;
  /** The fields that say how long the connection stays. */
  connectionFields(closes: boolean): string;
  /** @param bytes  a text is one of single bytes. @returns false when the client is slow */
  send(bytes: Buffer | string): boolean;
  /** The two leave together. @returns false when the client is slow */
  sendAll(pieces: readonly (Buffer | string)[]): boolean;
  /** The reply is out. @param closes  it was the last one of its connection */
  onReplyEnd(closes: boolean): void;
  destroy(): void;
}

/** One reply of the lane: status line, fields and body as HTTP/1.1 has them. */
export class LaneReply implements RawReply {
  headersSent = false;
  writableEnded = false;
  private head = '';
  private isChunked = false;
  private hasLength = false;
  private closes = false;
  private tellClosed: (() => void) | null = null;
  private tellDrained: (() => void) | null = null;

  constructor(private readonly carrier: ReplyCarrier) {}

  get writableFinished(): boolean {
    return this.writableEnded && this.carrier.isFlushed;
  }

  get destroyed(): boolean {
    return this.carrier.isGone;
  }

  /** Goes out with the first bytes of the body. Fails: throws TypeError for a field that cannot be sent. */
  writeHead(status: number, fields: ReplyFields): void {
    let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}\r\n`;
    const lines = Array.isArray(fields) ? fields : Object.entries(fields).flat();
    for (let index = 0; index < lines.length; index += 2) {
      const name = lines[index] as string;
      const value = lines[index + 1] as string;
      if (!FIELD_NAME.test(name) || NO_FIELD_VALUE.test(value))
        throw new TypeError(`the header ${name.slice(0, 64)} cannot be sent`);
      if (name === 'content-length') this.hasLength = true;
      else if (name === 'connection') {
        this.closes = value === 'close';
        continue;
      }
      text += `${name}: ${value}\r\n`;
    }
    this.head = text;
    this.headersSent = true;
  }

  write(bytes: Buffer | string): boolean {
    if (this.isOver || bytes.length === 0) return true;
    const piece = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
    if (this.hasLength) return this.carrier.send(this.withHead(piece));
    if (this.head !== '') {
      this.isChunked = true;
      this.head += 'transfer-encoding: chunked\r\n';
    }
    return this.sendChunk(piece, false);
  }

  end(bytes: Buffer | string = '', encoding: 'latin1' | 'utf8' = 'utf8'): void {
    if (this.isOver) return;
    this.writableEnded = true;
    const body = typeof bytes === 'string' && encoding === 'utf8' ? Buffer.from(bytes) : bytes;
    if (this.isChunked) {
      if (body.length > 0) this.sendChunk(asBytes(body), true);
      else this.carrier.send(LAST_CHUNK);
    } else {
      if (this.head !== '' && !this.hasLength) this.head += `content-length: ${body.length}\r\n`;
      if (this.head !== '' || body.length > 0) this.carrier.send(this.withHead(body));
    }
    this.carrier.onReplyEnd(this.closes);
  }

  destroy(): void {
    this.carrier.destroy();
  }

  on(_event: 'close', listener: () => void): void {
    this.tellClosed = listener;
  }

  once(_event: 'drain', listener: () => void): void {
    this.tellDrained = listener;
  }

  /** For its connection: it is gone. */
  onClosed(): void {
    this.tellClosed?.();
  }

  /** For its connection: the client takes bytes again. */
  onDrained(): void {
    const tell = this.tellDrained;
    this.tellDrained = null;
    tell?.();
  }

  private get isOver(): boolean {
    return this.writableEnded || this.carrier.isGone;
  }

  private takeHead(): string {
    const { head } = this;
    if (head === '') return head;
    this.head = '';
    return `${head}${this.carrier.connectionFields(this.closes)}${LINE_END}`;
  }

  /** @param body  a text is one of single bytes */
  private withHead(body: Buffer | string): Buffer | string {
    const head = this.takeHead();
    if (head === '') return body;
    // One text of single bytes is one write; a text and a buffer would be two.
    if (typeof body === 'string') return head + body;
    if (body.length <= JOINED_BYTES) return head + body.toString('latin1');
    return Buffer.concat([Buffer.from(head, 'latin1'), body]);
  }

  /** One piece of the chunked coding; small ones are put together before they are written. */
  private sendChunk(bytes: Buffer, isLast: boolean): boolean {
    const before = `${this.takeHead()}${bytes.length.toString(16)}\r\n`;
    const afterBytes = isLast ? LAST_CHUNK_BYTES.length : LINE_END.length;
    if (bytes.length > JOINED_BYTES)
      return this.carrier.sendAll([before, bytes, isLast ? LAST_CHUNK_BYTES : LINE_END]);
    const start = before.length;
    const whole = Buffer.allocUnsafe(start + bytes.length + afterBytes);
    whole.write(before, 0, 'latin1');
    whole.set(bytes, start);
    whole.set(isLast ? LAST_CHUNK_BYTES : LINE_END_BYTES, start + bytes.length);
    return this.carrier.send(whole);
  }
}

const LINE_END_BYTES = Buffer.from(LINE_END);
const asBytes = (text: Buffer | string): Buffer =>
  typeof text === 'string' ? Buffer.from(text, 'latin1') : text;
