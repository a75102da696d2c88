/** Names and values in turn, or by name. */
export type ReplyFields = string[] | Readonly<Record<string, string>>;

/** What the relay asks of the reply to a request: Node's own, or the lane's. */
export interface RawReply {
  readonly headersSent: boolean;
  readonly writableEnded: boolean;
  /** Everything was handed to the system. */
  readonly writableFinished: boolean;
  readonly destroyed: boolean;
  writeHead(status: number, fields: ReplyFields): unknown;
  /** @returns false when the client is slow: 'drain' follows */
  write(bytes: Buffer | string): boolean;
  end(): unknown;
  end(bytes: Buffer | string): unknown;
  end(text: string, encoding: 'latin1'): unknown;
  destroy(): unknown;
  /** The connection is gone; also follows a reply that was sent whole. */
  on(event: 'close', listener: () => void): unknown;
  once(event: 'drain', listener: () => void): unknown;
}
