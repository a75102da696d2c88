import { contained } from '../../common/contain-faults.js';
import type { ServerResponse } from 'node:http';
import type { ProbedReply } from '../../infra/sockets/half-closed.js';

/** Names and values. */
export type ReplyFields = Readonly<Record<string, string>>;

/** Interface the relay needs of a reply: Node's own, or the fast path's. */
export interface RawReply {
  readonly headersSent: boolean;
  readonly writableEnded: boolean;
  /** Everything was handed to the system. */
  readonly writableFinished: boolean;
  readonly destroyed: boolean;
  /**
   * @param own  of this reply; it says what is sent where `fields` has the same name
   * Fails: throws TypeError for a field that cannot be sent.
   */
  begin(status: number, fields: ReplyFields, own?: ReplyFields): unknown;
  /** @returns false when the client is slow: 'drain' follows */
  write(bytes: Buffer | string): boolean;
  end(bytes?: Buffer | string): unknown;
  destroy(): unknown;
  /** The connection is gone; also follows a reply that was sent whole. */
  on(event: 'close', listener: () => void): unknown;
  once(event: 'drain', listener: () => void): unknown;
  /** Set once. @param listener  writes bytes that change nothing, behind the head of the reply; false = there are none */
  onProbe(listener: () => boolean): void;
}

/** Larger replies are not copied to save a buffer. */
const ONE_WRITE_BYTES = 16 * 1024;

/** A reply of Node's server. */
export class NodeReply implements RawReply, ProbedReply {
  private isStream = false;
  private answerProbe: (() => boolean) | null = null;

  constructor(private readonly response: ServerResponse) {}

  get headersSent(): boolean {
    return this.response.headersSent;
  }

  get writableEnded(): boolean {
    return this.response.writableEnded;
  }

  get writableFinished(): boolean {
    return this.response.writableFinished;
  }

  get destroyed(): boolean {
    return this.response.destroyed;
  }

  begin(status: number, fields: ReplyFields, own: ReplyFields = {}): void {
    this.isStream = own['content-type']?.startsWith('text/event-stream') === true;
    // Names and values in turn, as Node writes them with the least work.
    const lines: string[] = [];
    for (const name in fields) if (own[name] === undefined) lines.push(name, fields[name] as string);
    for (const name in own) lines.push(name, own[name] as string);
    this.response.writeHead(status, lines);
  }

  write(bytes: Buffer | string): boolean {
    return this.response.write(bytes);
  }

  end(bytes?: Buffer | string): void {
    if (bytes === undefined) this.response.end();
    // Bytes as text of single bytes: Node writes head and body as one text then, and as two buffers otherwise.
    else if (!this.isStream && bytes instanceof Buffer && bytes.length <= ONE_WRITE_BYTES)
      this.response.end(bytes.toString('latin1'), 'latin1');
    else this.response.end(bytes);
  }

  destroy(): void {
    this.response.destroy();
  }

  on(event: 'close', listener: () => void): void {
    this.response.on(event, contained(listener));
  }

  once(event: 'drain', listener: () => void): void {
    this.response.once(event, contained(listener));
  }

  onProbe(listener: () => boolean): void {
    this.answerProbe = listener;
  }

  probe(): boolean {
    const { response } = this;
    // It has no socket while the answers to earlier requests of its connection are on their way.
    if (response.socket === null || response.writableEnded) return true;
    if (response.headersSent) return this.answerProbe?.() ?? false;
    response.writeContinue();
    return true;
  }
}
