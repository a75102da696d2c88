import type { RelayError } from '../model/relay-error.js';

/** The client's side of a call: bytes out, with back-pressure. */
export interface ClientReply {
  /** True once the status line went out. */
  readonly isCommitted: boolean;
  readonly isClosed: boolean;
  writeHead(status: number, headers: Readonly<Record<string, string>>): void;
  /** False = the client is slow: stop producing until `onDrain`. */
  write(bytes: Buffer | string): boolean;
  end(bytes?: Buffer | string): void;
  /** Closes the connection at once, without a clean end; for clients that take nothing. */
  abort(): void;
  /** One listener each; set once. */
  onDrain(listener: () => void): void;
  /**
   * The reply is over before its end.
   * @param listener  gets the reason when the gateway ended it; otherwise the client closed the connection
   */
  onClientGone(listener: (ended?: RelayError) => void): void;
  /**
   * The client sends no more, and may have left: bytes that change nothing would show it. Called from the head of the reply on.
   * @param listener  writes them; false = there are none
   */
  onProbe(listener: () => boolean): void;
}
