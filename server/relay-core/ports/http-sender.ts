/** A request as it leaves for an upstream. Built from scratch: nothing of the client's headers passes by itself. */
export interface UpstreamRequest {
  readonly method: 'GET' | 'POST';
  /** Absolute address. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  /** Proxy of the channel, if any. */
  readonly proxy?: string;
}

export interface UpstreamSink {
  onHead(status: number, headers: Readonly<Record<string, string | string[]>>): void;
  /** The chunk belongs to the sink. Answering false pauses the upstream until `resume()` is called. */
  onBytes(chunk: Buffer): boolean;
  onEnd(): void;
  /** Connection refused, reset, timed out, too large: exactly one of onEnd and onBroken is called, once. */
  onBroken(fault: UpstreamFault): void;
}

/** no-room: this process may open nothing more; no request was sent to the upstream. */
export interface UpstreamFault {
  readonly kind:
    | 'no-room'
    | 'unreachable'
    | 'refused-by-proxy'
    | 'timeout'
    | 'reset'
    | 'too-large'
    | 'refused-by-policy'
    | 'aborted';
  readonly cause?: unknown;
}

export interface UpstreamExchange {
  resume(): void;
  /** Closes the upstream connection; the sink gets no further events. */
  abort(): void;
}

export abstract class HttpSender {
  /** Starts sending at once; never follows redirects, never decompresses without a cap. */
  abstract send(request: UpstreamRequest, sink: UpstreamSink): UpstreamExchange;
}
