import { containFaults } from '../../common/contain-faults.js';
import type { Dispatcher } from 'undici';
import type { UpstreamRequest } from '../../relay-core/ports/http-sender.js';
import type { ActiveCount, Carrier, Exchange } from './exchange.js';
import type { ReplyHeaders } from './reply-reader.js';

export interface PoolLimits {
  readonly connectTimeoutMs: number;
  readonly maxHeaderBytes: number;
  /** Sockets to one origin. */
  readonly connections: number;
}

/** The connections to one origin, through one proxy or none. */
export interface UpstreamPool extends ActiveCount {
  /** Sockets that are open or being opened; where undici holds them, those in use. */
  readonly connections: number;
  /** Sends at once, or as soon as there is a connection. Fails: may throw for a request that cannot be written. */
  dispatch(request: UpstreamRequest, path: string, exchange: Exchange): void;
  /** Ends everything that runs on it. */
  close(): Promise<void>;
}

/** Connections of undici: through a proxy, since its agents support proxies of every kind, and everywhere without our own pool. */
export class UndiciPool implements UpstreamPool {
  active = 0;

  constructor(
    private readonly origin: string,
    private readonly dispatcher: Dispatcher,
  ) {}

  get connections(): number {
    return this.active;
  }

  dispatch(request: UpstreamRequest, path: string, exchange: Exchange): void {
    const { method, body } = request;
    const headers =
      'accept-encoding' in request.headers
        ? { ...request.headers }
        : { ...request.headers, 'accept-encoding': 'identity' };
    // undici answers bad requests (a header value with a line break) through the handler, not by throwing.
    this.dispatcher.dispatch(
      { origin: this.origin, path, method, headers, body: body ?? null },
      new UndiciReply(exchange),
    );
  }

  async close(): Promise<void> {
    await this.dispatcher.destroy();
  }
}

/** Callbacks for undici. A fault in one of them ends the connection. */
class UndiciReply implements Dispatcher.DispatchHandler {
  constructor(private readonly exchange: Exchange) {}

  onRequestStart(controller: Dispatcher.DispatchController): void {
    const carrier: Carrier = {
      // undici recurses, or stops reading, when it is resumed while it still delivers data.
      resume: () => void setImmediate(() => controller.resume()),
      abort: (cause) => controller.abort(cause),
    };
    this.guard(controller, () => this.exchange.attach(carrier));
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // 100 Continue and 103 Early Hints announce the reply; they are not it.
    if (status >= 200) this.guard(controller, () => this.exchange.head(status, headers as ReplyHeaders));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.guard(controller, () => {
      if (!this.exchange.data(chunk)) controller.pause();
    });
  }

  onResponseEnd(controller: Dispatcher.DispatchController): void {
    this.guard(controller, () => this.exchange.end());
  }

  onResponseError(_: Dispatcher.DispatchController, cause: Error): void {
    containFaults(
      () => this.exchange.fail(cause),
      () => undefined,
    );
  }

  private guard(controller: Dispatcher.DispatchController, step: () => void): void {
    containFaults(step, () => controller.abort(new Error('the reply could not be handled')));
  }
}
