import { ReplyTooLarge } from './upstream-fault.js';

/** Reply headers, names in lower case; a header that came more than once is a list. */
export type ReplyHeaders = Record<string, string | string[]>;

export interface ReplyReaderSink {
  /** Final heads only: 100 and 103 announce a reply, they are not it. */
  onReplyHead(status: number, headers: ReplyHeaders): void;
  /** Answering false stops the reading until `proceed`. */
  onReplyBytes(chunk: Buffer): boolean;
  onReplyEnd(): void;
}

/** The upstream does not follow HTTP/1.1: a head that two readers could read differently is no reply. */
export class UnreadableReply extends Error {
  readonly code = 'ERR_UNREADABLE_REPLY';
}

type State =
  'idle' | 'head' | 'length' | 'until-close' | 'chunk-size' | 'chunk-data' | 'chunk-end' | 'trailer' | 'over';

/** The whole head: status line, then fields without folding. No part of it can be read in two ways, so it runs in one pass. */
const HEAD =
  /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?((?:\r\n[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[\t\x20-\x7e\x80-\xff]*)*)$/;
const HEAD_END = Buffer.from('\r\n\r\n');

/** A head whose lines end otherwise never ends here: refused at once, not when the time is up. */
function refuseBareLines(bytes: Buffer, from: number): void {
  const at = bytes.indexOf(LF, from);
  if (at !== -1 && bytes[at - 1] !== CR) throw new UnreadableReply('the lines of the head have no end');
}
const CR = 13;
const LF = 10;
const SEMICOLON = 0x3b;
const TAB = 9;
const SPACE = 32;
/** Limit of chunk extensions and trailers: they are not used, so they need no room. */
const MAX_FRAMING_BYTES = 8 * 1024;
/** 2^52 and above cannot be counted exactly. */
const MAX_CHUNK_DIGITS = 12;
/** Chunks are handed over together up to this size: holds and limits are looked at between two pieces. */
const MAX_JOINED_BYTES = 16 * 1024;
const MAX_LENGTH_DIGITS = 15;
/** A server that only announces answers never answers. */
const MAX_INTERIM_REPLIES = 16;
const CLOSES = /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i;
const KEEPS = /(?:^|,)[ \t]*keep-alive[ \t]*(?:,|$)/i;

/** Hexadecimal digits by their byte; -1 = none. */
const HEX = Int8Array.from({ length: 256 }, (_, byte) => {
  const digit = Number.parseInt(String.fromCharCode(byte), 16);
  return Number.isNaN(digit) ? -1 : digit;
});

/**
 * Reads the replies of one connection, one after the other (RFC 9112). Strict: lengths given twice, unknown codings, bare line
 * feeds, folded fields and names with blanks are faults, since a proxy between here and there could read them otherwise. Body bytes
 * are handed over in the buffer they came in. Chunks that came together are handed over together: the framing between them is
 * removed in place, so that the next stage handles one piece and not a hundred.
 */
export class ReplyReader {
  /** After `onReplyEnd`: the connection may carry another request. */
  isReusable = false;
  /** Milliseconds the peer keeps an idle connection; undefined = not given. */
  keepAliveMs: number | undefined;

  private state: State = 'idle';
  private left = 0;
  private interim = 0;
  /** The start of a head, a chunk's size or a trailer whose rest has not come; or what was not read because of a pause. */
  private held: Buffer | null = null;
  private isPaused = false;
  /** Body bytes of chunks, side by side in the buffer that is being read; none when both are equal. */
  private joinedStart = 0;
  private joinedEnd = 0;

  constructor(
    private readonly sink: ReplyReaderSink,
    private readonly maxHeadBytes: number,
  ) {}

  /** A request goes out: the next bytes are the head of its reply. */
  begin(): void {
    this.state = 'head';
    this.interim = 0;
    this.isPaused = false;
    this.isReusable = false;
    this.keepAliveMs = undefined;
  }

  /** Detaches the sink. */
  stop(): void {
    this.state = 'over';
    this.held = null;
    this.joinedStart = 0;
    this.joinedEnd = 0;
  }

  /**
   * Bytes from the connection. The buffer is the reader's from now on.
   * @returns false when the sink asked for a pause
   * Fails: throws UnreadableReply, or ReplyTooLarge for a head that is.
   */
  push(chunk: Buffer): boolean {
    const bytes = this.held === null ? chunk : Buffer.concat([this.held, chunk]);
    this.held = null;
    return this.isPaused ? this.keep(bytes, 0) : this.read(bytes);
  }

  /** Goes on after a pause. @returns false when the sink asked for another one */
  proceed(): boolean {
    this.isPaused = false;
    const { held } = this;
    this.held = null;
    return this.read(held ?? NOTHING);
  }

  /** The peer ended the connection. @returns false when its reply was not whole */
  close(): boolean {
    if (this.state !== 'until-close' || this.isPaused) return false;
    this.end();
    return true;
  }

  private read(bytes: Buffer): boolean {
    let at = 0;
    for (;;) {
      switch (this.state) {
        case 'idle':
          throw new UnreadableReply('the upstream sent more than its reply');
        case 'over':
          return true;
        case 'head': {
          const end = bytes.indexOf(HEAD_END, at);
          const size = (end === -1 ? bytes.length : end) - at;
          if (size > this.maxHeadBytes) throw new ReplyTooLarge('the head of the reply grew past its limit');
          if (end === -1) {
            refuseBareLines(bytes, at);
            return this.keep(bytes, at);
          }
          this.readHead(bytes.toString('latin1', at, end));
          at = end + HEAD_END.length;
          break;
        }
        case 'length': {
          if (this.left === 0) return this.endAt(bytes, at);
          if (at === bytes.length) return true;
          const end = Math.min(bytes.length, at + this.left);
          this.left -= end - at;
          const piece = at === 0 && end === bytes.length ? bytes : bytes.subarray(at, end);
          at = end;
          if (!this.give(piece)) return this.keep(bytes, at);
          break;
        }
        case 'chunk-data': {
          const end = Math.min(bytes.length, at + this.left);
          this.left -= end - at;
          this.join(bytes, at, end);
          at = end;
          if (this.left === 0) this.state = 'chunk-end';
          const isFull = this.joinedEnd - this.joinedStart >= MAX_JOINED_BYTES;
          if ((isFull || at === bytes.length) && !this.emitJoined(bytes)) return this.keep(bytes, at);
          if (at === bytes.length) return true;
          break;
        }
        case 'until-close': {
          if (at === bytes.length) return true;
          const piece = at === 0 ? bytes : bytes.subarray(at);
          at = bytes.length;
          return this.give(piece);
        }
        case 'chunk-end':
          if (bytes.length - at < 2) {
            this.emitJoined(bytes);
            return this.keep(bytes, at);
          }
          if (bytes[at] !== CR || bytes[at + 1] !== LF) throw new UnreadableReply('a chunk has no end');
          at += 2;
          this.state = 'chunk-size';
          break;
        case 'chunk-size': {
          const next = this.readSize(bytes, at);
          if (next === -1) {
            this.emitJoined(bytes);
            return this.keepFraming(bytes, at);
          }
          at = next;
          this.state = this.left === 0 ? 'trailer' : 'chunk-data';
          if (this.left === 0 && !this.emitJoined(bytes)) return this.keep(bytes, at);
          break;
        }
        case 'trailer': {
          if (bytes.length - at >= 2 && bytes[at] === CR && bytes[at + 1] === LF)
            return this.endAt(bytes, at + 2);
          const end = bytes.indexOf(HEAD_END, at);
          if (end === -1) return this.keepFraming(bytes, at);
          return this.endAt(bytes, end + HEAD_END.length);
        }
      }
    }
  }

  private give(piece: Buffer): boolean {
    if (this.sink.onReplyBytes(piece)) return true;
    this.isPaused = this.state !== 'over';
    return false;
  }

  /** Moves the bytes of a chunk up to those before it. */
  private join(bytes: Buffer, start: number, end: number): void {
    if (this.joinedStart === this.joinedEnd) {
      this.joinedStart = start;
      this.joinedEnd = end;
      return;
    }
    if (start !== this.joinedEnd) bytes.copyWithin(this.joinedEnd, start, end);
    this.joinedEnd += end - start;
  }

  /** @returns false when the sink asked for a pause */
  private emitJoined(bytes: Buffer): boolean {
    const { joinedStart, joinedEnd } = this;
    if (joinedStart === joinedEnd) return true;
    this.joinedStart = 0;
    this.joinedEnd = 0;
    return this.give(bytes.subarray(joinedStart, joinedEnd));
  }

  private keep(bytes: Buffer, at: number): boolean {
    if (at < bytes.length && this.state !== 'over') this.held = at === 0 ? bytes : bytes.subarray(at);
    return !this.isPaused;
  }

  private keepFraming(bytes: Buffer, at: number): boolean {
    if (bytes.length - at > MAX_FRAMING_BYTES)
      throw new UnreadableReply('a chunk says more about itself than is allowed');
    return this.keep(bytes, at);
  }

  private endAt(bytes: Buffer, at: number): boolean {
    // Bytes without a request: the connection must not carry another call.
    if (at < bytes.length) this.isReusable = false;
    this.end();
    return true;
  }

  private end(): void {
    this.state = 'idle';
    this.held = null;
    this.sink.onReplyEnd();
  }

  /** @returns where the chunk begins, or -1 when its size has not come whole */
  private readSize(bytes: Buffer, start: number): number {
    let at = start;
    let size = 0;
    for (; at < bytes.length; at += 1) {
      const digit = HEX[bytes[at] as number] as number;
      if (digit < 0) break;
      size = size * 16 + digit;
      if (at - start >= MAX_CHUNK_DIGITS) throw new UnreadableReply('a chunk is too large');
    }
    if (at === bytes.length) return -1;
    if (at === start) throw new UnreadableReply('a chunk has no size');
    const byte = bytes[at];
    let end = at;
    if (byte === SEMICOLON || byte === SPACE || byte === TAB) {
      end = bytes.indexOf(LF, at) - 1;
      if (end < 0) return -1;
    }
    if (end + 1 >= bytes.length) return -1;
    if (bytes[end] !== CR || bytes[end + 1] !== LF)
      throw new UnreadableReply('the size of a chunk has no end');
    this.left = size;
    return end + 2;
  }

  private readHead(text: string): void {
    const match = HEAD.exec(text);
    if (match === null) throw new UnreadableReply('the head of the reply is not HTTP');
    const status = Number(match[2]);
    if (status < 200) {
      this.interim += 1;
      if (status === 101 || this.interim > MAX_INTERIM_REPLIES)
        throw new UnreadableReply('the upstream announces answers and gives none');
      return;
    }
    const headers = readFields(match[3] as string);
    this.frame(status, match[1] === '1', headers);
    this.sink.onReplyHead(status, headers);
  }

  /** Detects the end of the body. */
  private frame(status: number, isCurrent: boolean, headers: ReplyHeaders): void {
    const connection = textOf(headers['connection']);
    this.isReusable = isCurrent ? !CLOSES.test(connection) : KEEPS.test(connection);
    this.keepAliveMs = readKeepAlive(headers['keep-alive']);
    const coding = headers['transfer-encoding'];
    const length = headers['content-length'];
    if (status === 204 || status === 304) {
      this.left = 0;
      this.state = 'length';
    } else if (coding !== undefined) {
      if (
        typeof coding !== 'string' ||
        coding.toLowerCase() !== 'chunked' ||
        length !== undefined ||
        !isCurrent
      )
        throw new UnreadableReply('the reply has two lengths, or a coding nobody asked for');
      this.state = 'chunk-size';
    } else if (length !== undefined) {
      if (typeof length !== 'string' || length.length > MAX_LENGTH_DIGITS || !/^\d+$/.test(length))
        throw new UnreadableReply('the length of the reply is not a number');
      this.left = Number(length);
      this.state = 'length';
    } else {
      this.isReusable = false;
      this.state = 'until-close';
    }
  }
}

const NOTHING = Buffer.alloc(0);

const textOf = (value: string | string[] | undefined): string =>
  value === undefined ? '' : typeof value === 'string' ? value : value.join(',');

function readKeepAlive(value: string | string[] | undefined): number | undefined {
  const seconds = /(?:^|[,; ])timeout=(\d{1,6})/i.exec(textOf(value))?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}

/** @param text  fields, each behind a line end, checked before */
function readFields(text: string): ReplyHeaders {
  const headers: ReplyHeaders = Object.create(null) as ReplyHeaders;
  let start = 2;
  while (start < text.length) {
    const lineEnd = text.indexOf('\r\n', start);
    const end = lineEnd === -1 ? text.length : lineEnd;
    const colon = text.indexOf(':', start);
    const name = text.slice(start, colon).toLowerCase();
    const value = trimmed(text, colon + 1, end);
    const before = headers[name];
    if (before === undefined) headers[name] = value;
    else if (typeof before === 'string') headers[name] = [before, value];
    else before.push(value);
    start = end + 2;
  }
  return headers;
}

/** Without blanks and tabs around it, and only those. */
function trimmed(text: string, from: number, to: number): string {
  let start = from;
  let end = to;
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

const isBlank = (code: number): boolean => code === SPACE || code === TAB;
