import { STATUS_CODES } from 'node:http';
import { getOrAdd } from '../../../common/get-or-add.js';
import { INTERIM_REPLY, type ProbedReply } from '../../../infra/sockets/half-closed.js';
import { JOINED_BYTES, OutBytes } from '../../../infra/sockets/socket-buffers.js';
import type { RawReply, ReplyFields } from '../../http/relay-replies.js';
import type { ByteText } from '../../../common/byte-text.js';

const FIELD_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

const TAB = 0x09;
const BLANK = 0x20;
const COLON = 0x3a;
const DELETE = 0x7f;
const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;

const unsendable = (name: string): TypeError =>
  new TypeError(`the header ${name.slice(0, 64)} cannot be sent`);

const LINE_END = '\r\n';
const LAST_CHUNK = '0\r\n\r\n';
const LINE_END_BYTES = Buffer.from(LINE_END);
const LAST_CHUNK_BYTES = Buffer.from(`${LINE_END}${LAST_CHUNK}`);
const NO_FIELDS: ReplyFields = {};

/** Services a reply needs from its connection. */
export interface ReplyCarrier {
  readonly isGone: boolean;
  /** Everything written was handed to the system. */
  readonly isFlushed: boolean;
  /** The fields about how long the connection stays. */
  connectionFields(closes: boolean): string;
  /** Sends what was put together. @returns false when the client is slow */
  send(out: OutBytes): boolean;
  /** Ahead of the reply. */
  sendInterim(bytes: string): void;
  /** They leave together, and are the socket's from now on. @returns false when the client is slow */
  sendAll(pieces: readonly Buffer[]): boolean;
  /** The reply is out. @param closes  it was the last one of its connection */
  onReplyEnd(closes: boolean): void;
  destroy(): void;
}

/** Replies of all connections are put together here, one after the other. */
const OUT = new OutBytes();
/** The reply whose head stands there and is not sent yet. */
const head: { owner: FastPathReply | null } = { owner: null };

/** One reply of the fast path: status line, fields and body as HTTP/1.1 has them. */
export class FastPathReply implements RawReply, ProbedReply {
  headersSent = false;
  writableEnded = false;
  /** The head, when another reply needed the buffer it was put together in. */
  private keptHead: Buffer | null = null;
  private isHeadDue = false;
  private isChunked = false;
  private hasLength = false;
  private closes = false;
  private notifyClosed: (() => void) | null = null;
  private notifyDrained: (() => void) | null = null;
  private answerProbe: (() => boolean) | null = null;

  constructor(private readonly carrier: ReplyCarrier) {}

  get writableFinished(): boolean {
    return this.writableEnded && this.carrier.isFlushed;
  }

  get destroyed(): boolean {
    return this.carrier.isGone;
  }

  /** Goes out with the first bytes of the body. Fails: throws TypeError for a field that cannot be sent. */
  begin(status: number, fields: ReplyFields, own: ReplyFields = NO_FIELDS): void {
    clearOut();
    OUT.ascii(statusLine(status));
    for (const name in fields) if (own[name] === undefined) this.writeField(name, fields[name] as string);
    for (const name in own) this.writeField(name, own[name] as string);
    head.owner = this;
    this.isHeadDue = true;
    this.headersSent = true;
  }

  write(bytes: Buffer | string): boolean {
    if (this.isOver || bytes.length === 0) return true;
    const piece = asBytes(bytes);
    if (this.hasLength) return this.sendPlain(piece);
    if (this.isHeadDue) this.isChunked = true;
    return this.sendChunk(piece, false);
  }

  end(bytes: Buffer | string = ''): void {
    if (this.isOver) return;
    this.writableEnded = true;
    const body = asBytes(bytes);
    if (!this.isChunked) this.sendPlain(body);
    else if (body.length > 0) this.sendChunk(body, true);
    else this.carrier.send(this.outputBuffer().ascii(LAST_CHUNK));
    this.carrier.onReplyEnd(this.closes);
  }

  destroy(): void {
    this.carrier.destroy();
  }

  on(_event: 'close', listener: () => void): void {
    this.notifyClosed = listener;
  }

  once(_event: 'drain', listener: () => void): void {
    this.notifyDrained = listener;
  }

  onProbe(listener: () => boolean): void {
    this.answerProbe = listener;
  }

  /** For its connection: the client sends no more. */
  probe(): boolean {
    if (this.isOver) return true;
    if (this.headersSent && !this.isHeadDue) return this.answerProbe?.() ?? false;
    this.carrier.sendInterim(INTERIM_REPLY);
    return true;
  }

  /** For its connection: it is gone. */
  onClosed(): void {
    this.notifyClosed?.();
  }

  /** For its connection: the client takes bytes again. */
  onDrained(): void {
    const tell = this.notifyDrained;
    this.notifyDrained = null;
    tell?.();
  }

  /** For the reply that needs the place: the head of this one waits elsewhere. */
  keepHead(): void {
    this.keptHead = Buffer.from(OUT.bytes.subarray(0, OUT.length));
  }

  private get isOver(): boolean {
    return this.writableEnded || this.carrier.isGone;
  }

  private writeField(name: string, value: string): void {
    if (name === 'connection') this.closes = value === 'close';
    else {
      if (name === 'content-length') this.hasLength = true;
      writeField(OUT, name, value);
    }
  }

  /** The place to put bytes together, with the head when it is still to be sent; its end is not written yet. */
  private outputBuffer(): OutBytes {
    if (head.owner !== this) clearOut();
    head.owner = null;
    if (this.keptHead !== null) OUT.raw(this.keptHead);
    this.keptHead = null;
    return OUT;
  }

  private endHead(out: OutBytes): void {
    this.isHeadDue = false;
    out.ascii(this.carrier.connectionFields(this.closes)).ascii(LINE_END);
  }

  /** A reply of known length, or the first and last piece of one. */
  private sendPlain(body: Buffer): boolean {
    const out = this.outputBuffer();
    if (this.isHeadDue) {
      if (!this.hasLength) out.ascii('content-length: ').number(body.length).ascii(LINE_END);
      this.endHead(out);
    } else if (body.length === 0) return true;
    return body.length > JOINED_BYTES ? this.sendApart(out, [body]) : this.carrier.send(out.raw(body));
  }

  /** One piece of the chunked coding; small ones are put together before they are written. */
  private sendChunk(bytes: Buffer, isLast: boolean): boolean {
    const out = this.outputBuffer();
    if (this.isHeadDue) {
      out.ascii('transfer-encoding: chunked\r\n');
      this.endHead(out);
    }
    out.ascii(bytes.length.toString(16)).ascii(LINE_END);
    const end = isLast ? LAST_CHUNK_BYTES : LINE_END_BYTES;
    if (bytes.length > JOINED_BYTES) return this.sendApart(out, [bytes, end]);
    return this.carrier.send(out.raw(bytes).raw(end));
  }

  /** Large pieces are not copied to save a write. */
  private sendApart(out: OutBytes, pieces: readonly Buffer[]): boolean {
    const before = Buffer.from(out.bytes.subarray(0, out.length));
    out.length = 0;
    return this.carrier.sendAll([before, ...pieces]);
  }
}

/** Nothing stands in it any more; a head that does is put away. */
function clearOut(): void {
  head.owner?.keepHead();
  head.owner = null;
  OUT.length = 0;
}

const asBytes = (bytes: Buffer | string): Buffer => (typeof bytes === 'string' ? Buffer.from(bytes) : bytes);

const statusLines = new Map<number, string>();

function statusLine(status: number): string {
  return getOrAdd(statusLines, status, () => `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}\r\n`);
}

/** Characters of a value that is copied faster as a whole than one by one. */
const LONG_VALUE = 128;
/** Long values whose characters were checked: the first ones, among them the constant ones of every reply. */
const sendableValues = new Set<string>();
const MOST_VALUES = 16;

/** `name: value` and the end of the line. Fails: throws TypeError for a field that cannot be sent. */
export function writeField(out: ByteText, name: string, value: string): void {
  if (!FIELD_NAME.test(name)) throw unsendable(name);
  const nameLength = name.length;
  const valueLength = value.length;
  out.makeRoom(nameLength + valueLength + 4);
  const { bytes } = out;
  let at = out.length;
  for (let index = 0; index < nameLength; index += 1) bytes[at + index] = name.charCodeAt(index);
  at += nameLength;
  bytes[at] = COLON;
  bytes[at + 1] = BLANK;
  at += 2;
  if (valueLength > LONG_VALUE && sendableValues.has(value)) at += bytes.write(value, at, 'latin1');
  else {
    for (let index = 0; index < valueLength; index += 1) {
      const code = value.charCodeAt(index);
      if ((code < BLANK && code !== TAB) || code > 0xff || code === DELETE) throw unsendable(name);
      bytes[at + index] = code;
    }
    at += valueLength;
    if (valueLength > LONG_VALUE && sendableValues.size < MOST_VALUES) sendableValues.add(value);
  }
  bytes[at] = CARRIAGE_RETURN;
  bytes[at + 1] = LINE_FEED;
  out.length = at + 2;
}
