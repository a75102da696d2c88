import type { Socket } from 'node:net';
import { restoreReads, interceptReads } from '../../../infra/sockets/socket-buffers.js';
import { lingeringClose } from '../../../infra/sockets/lingering-close.js';
import { containFaults, contained } from '../../../common/contain-faults.js';
import { watchHalfClosed } from '../../../infra/sockets/half-closed.js';
import type { OutBytes } from '../../../infra/sockets/socket-buffers.js';
import { LinkedListNode } from '../../../common/linked-list.js';
import { FastPathReply, type ReplyCarrier } from './fast-path-reply.js';
import { RequestHeadReader, type RequestHead } from '../../http/request-head.js';

/** Maximum number of bytes kept while a call is running; beyond it the client has to wait. */
const MAX_EARLY_BYTES = 64 * 1024;

/** Services a connection needs from its owner. */
export interface FastPathOwner {
  /** Replies of one connection, at most; 0 = as many as it likes. */
  readonly maxRequests: number;
  /** Keep-alive fields of its replies. */
  readonly keepAliveFields: string;
  /** From now on every reply is the last one of its connection. */
  readonly isClosing: boolean;
  /** Coarse; monotonic. */
  nowMs(): number;
  /**
   * Handles a request, before its body is there.
   * @param peer  address of the connection
   * @returns null when the owner does not handle it
   */
  receive(head: RequestHead, peer: string, reply: FastPathReply): FastPathCall | null;
  /** Gives the connection to Node's server, for good. @param bytes  read and not understood here */
  handOver(connection: FastPathConnection, bytes: Buffer): void;
  onReplyEnd(connection: FastPathConnection): void;
  onGone(connection: FastPathConnection): void;
}

/** A request whose head was taken. */
export interface FastPathCall {
  /** False = it was refused, and its body will not be read. */
  readonly wantsBody: boolean;
  /**
   * A piece of the body waits for the rest of it.
   * @returns false when there is no room: the call was refused
   */
  keep(bytes: number): boolean;
  /** Releases the kept bytes: the body is whole, or will never be. */
  giveBack(bytes: number): void;
  start(body: Buffer): void;
}

/** One client's connection, one request at a time. */
export class FastPathConnection extends LinkedListNode implements ReplyCarrier {
  isGone = false;
  /** Since when it waits for a request, or for the rest of one. */
  waitingSinceMs: number;
  private served = 0;
  private reply: FastPathReply | null = null;
  private call: FastPathCall | null = null;
  private pieces: Buffer[] = [];
  private missingBytes = 0;
  private keptBytes = 0;
  private early: Buffer[] = [];
  private earlyBytes = 0;
  private isLast = false;
  /** The client has closed its sending half: what it asked for until then is still answered. */
  private hasEnded = false;
  private stopWatch: (() => void) | null = null;
  /** Bytes of the current request still to come. */
  private unreadBytes = 0;
  /** Callback for the end of a refused request's body. */
  private through: (() => void) | null = null;
  private readonly heads = new RequestHeadReader();
  private readonly address: string;

  constructor(
    readonly socket: Socket,
    private readonly owner: FastPathOwner,
  ) {
    super();
    this.address = socket.remoteAddress ?? '';
    this.waitingSinceMs = owner.nowMs();
    interceptReads(socket, (bytes) => this.take(bytes));
    socket.on('end', this.onEnd).on('close', this.onClose);
    socket.on('drain', this.onDrain).on('error', this.onError);
  }

  /** Between two requests. */
  get isIdle(): boolean {
    return this.reply === null && !this.isGone;
  }

  /** The head of a request came, its body did not yet. */
  get isReading(): boolean {
    return this.missingBytes > 0;
  }

  get hasServed(): boolean {
    return this.served > 0;
  }

  get isFlushed(): boolean {
    return this.socket.writableLength === 0;
  }

  connectionFields(closes: boolean): string {
    const { owner } = this;
    const isLast =
      closes ||
      owner.isClosing ||
      this.isLastRequest ||
      (owner.maxRequests > 0 && this.served >= owner.maxRequests);
    if (isLast) this.isLast = true;
    const date = `date: ${httpDate()}\r\n`;
    return isLast ? `${date}connection: close\r\n` : date + owner.keepAliveFields;
  }

  send(out: OutBytes): boolean {
    return out.sendTo(this.socket);
  }

  sendInterim(bytes: string): void {
    this.socket.write(bytes, 'latin1');
  }

  sendAll(pieces: readonly Buffer[]): boolean {
    const { socket } = this;
    socket.cork();
    let hasRoom = true;
    for (const piece of pieces) hasRoom = socket.write(piece);
    socket.uncork();
    return hasRoom;
  }

  onReplyEnd(closes: boolean): void {
    this.reply = null;
    this.waitingSinceMs = this.owner.nowMs();
    // A body that is not read to its end stands where the next request would.
    if (closes || this.isLast || this.missingBytes > 0 || this.isLastRequest) {
      this.isLast = true;
      if (this.unreadBytes > 0 && !this.hasEnded) this.through ??= lingeringClose(this.socket);
      else this.socket.destroySoon();
    }
    this.owner.onReplyEnd(this);
    if (this.early.length > 0 && !this.isLast) setImmediate(this.readPipelined);
  }

  destroy(): void {
    this.socket.destroy();
  }

  /** Detaches the socket, for another owner. */
  detachSocket(): Socket {
    const { socket } = this;
    restoreReads(socket);
    this.stopWatch?.();
    socket.removeListener('end', this.onEnd).removeListener('close', this.onClose);
    socket.removeListener('drain', this.onDrain).removeListener('error', this.onError);
    this.isGone = true;
    return socket;
  }

  /** @returns false when the client is to wait */
  private take(bytes: Buffer): boolean {
    if (this.unreadBytes > 0) {
      this.unreadBytes -= bytes.length;
      if (this.unreadBytes <= 0) this.through?.();
    }
    if (this.isLast || !this.socket.writable) return true;
    if (this.missingBytes > 0) this.continueReading(bytes);
    else if (this.reply === null && this.early.length === 0) this.begin(bytes);
    else {
      this.early.push(bytes);
      this.earlyBytes += bytes.length;
      return this.earlyBytes <= MAX_EARLY_BYTES;
    }
    return true;
  }

  /** A request came before the reply to the one before it was out. */
  private readonly readPipelined = (): void => containFaults(this.readEarly, this.cut);

  private readonly readEarly = (): void => {
    // No request begins on a connection that ended meanwhile: its answer would be lost.
    if (!this.isIdle || this.early.length === 0 || !this.socket.writable) return;
    // A client that sends requests without reading answers waits until it does.
    if (this.socket.writableNeedDrain) return;
    const bytes = Buffer.concat(this.early);
    this.early = [];
    this.earlyBytes = 0;
    if (this.socket.isPaused()) this.socket.resume();
    this.begin(bytes);
    // The body is shorter than announced, and the rest will not come.
    if (this.hasEnded && this.isReading) this.socket.end();
  };

  private begin(bytes: Buffer): void {
    const head = this.heads.read(bytes);
    if (head === null) return this.owner.handOver(this, bytes);
    const reply = new FastPathReply(this);
    this.reply = reply;
    this.served += 1;
    const bodyEnd = head.headBytes + head.bodyBytes;
    this.unreadBytes = bodyEnd - bytes.length;
    const call = this.owner.receive(head, this.address, reply);
    if (call === null) {
      this.reply = null;
      return this.owner.handOver(this, bytes);
    }
    if (!call.wantsBody) return;
    if (bytes.length < bodyEnd) {
      this.call = call;
      this.missingBytes = head.bodyBytes;
      this.waitingSinceMs = this.owner.nowMs();
      if (bytes.length > head.headBytes) this.continueReading(bytes.subarray(head.headBytes));
      return;
    }
    if (bytes.length > bodyEnd) this.keep(bytes.subarray(bodyEnd));
    call.start(bytes.subarray(head.headBytes, bodyEnd));
  }

  private continueReading(bytes: Buffer): void {
    const { missingBytes, call } = this;
    if (bytes.length < missingBytes) {
      this.missingBytes -= bytes.length;
      this.pieces.push(bytes);
      this.keptBytes += bytes.length;
      if (call?.keep(bytes.length) === false) this.dropBody();
      return;
    }
    const whole = [...this.pieces, bytes.subarray(0, missingBytes)];
    this.missingBytes = 0;
    this.dropBody();
    if (bytes.length > missingBytes) this.keep(bytes.subarray(missingBytes));
    call?.start(Buffer.concat(whole));
  }

  private dropBody(): void {
    this.call?.giveBack(this.keptBytes);
    this.keptBytes = 0;
    this.pieces = [];
    this.call = null;
  }

  private keep(bytes: Buffer): void {
    this.early.push(bytes);
    this.earlyBytes += bytes.length;
  }

  private readonly onDrain = (): void => containFaults(this.writeOn, this.cut);

  private readonly writeOn = (): void => {
    if (this.reply !== null) this.reply.onDrained();
    else this.readPipelined();
  };

  private readonly cut = (): void => {
    this.socket.destroy();
  };

  /** The client sends no more. The reply checks whether it still reads. */
  private readonly onEnd = (): void =>
    containFaults(() => {
      this.hasEnded = true;
      const isAnswered = this.reply !== null || this.early.length > 0;
      if (this.isReading || !isAnswered) this.socket.end();
      else this.stopWatch = watchHalfClosed(this.socket, () => this.reply?.probe() ?? true);
    }, this.cut);

  /** Nothing follows what is being answered. */
  private get isLastRequest(): boolean {
    return this.hasEnded && this.early.length === 0;
  }

  /** 'close' follows. */
  private readonly onError = contained(() => undefined);

  private readonly onClose = (): void => containFaults(this.close, this.cut);

  private readonly close = (): void => {
    this.isGone = true;
    this.missingBytes = 0;
    this.dropBody();
    const { reply } = this;
    this.reply = null;
    this.owner.onGone(this);
    if (reply !== null) containFaults(() => reply.onClosed(), this.cut);
  };
}

let dateText = '';
let dateSecond = -1;

/** Date header, made once a second. */
function httpDate(): string {
  const nowMs = Date.now();
  const second = Math.floor(nowMs / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateText = new Date(nowMs).toUTCString();
  }
  return dateText;
}
