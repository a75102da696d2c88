import type { Dispatcher } from 'undici';
import {
  HttpSender,
  type UpstreamExchange,
  type UpstreamRequest,
  type UpstreamSink,
} from '../../relay-core/ports/http-sender.js';
import { InflateReply } from './inflate-reply.js';
import type { OutboundPolicy, OutboundProfile } from './safe-url.js';
import { toUpstreamFault } from './upstream-fault.js';
import { type PoolLimits, UpstreamPools } from './upstream-pools.js';

/** Limits of appendix A of the security reference, per profile. */
const LIMITS: Readonly<Record<OutboundProfile, PoolLimits>> = {
  relay: { connectTimeoutMs: 5_000, maxHeaderBytes: 32 * 1024, connections: 6_000 },
  fixed: { connectTimeoutMs: 3_000, maxHeaderBytes: 32 * 1024, connections: 64 },
  'hostile-url': { connectTimeoutMs: 3_000, maxHeaderBytes: 32 * 1024, connections: 16 },
};

const NO_EXCHANGE: UpstreamExchange = { resume: () => undefined, abort: () => undefined };

/**
 * The only way out of this process over HTTP. Pushes bytes from undici's dispatch straight into the sink: no web
 * streams, no iterators. HTTP/1.1 without pipelining; redirects are never followed.
 */
export class UndiciHttpSender extends HttpSender {
  private readonly pools: UpstreamPools;

  constructor(policy: OutboundPolicy, profile: OutboundProfile = 'relay') {
    super();
    this.pools = new UpstreamPools(policy, profile, LIMITS[profile]);
  }

  send(request: UpstreamRequest, sink: UpstreamSink): UpstreamExchange {
    try {
      const { origin, path, pool } = this.pools.destinationOf(request.url, request.proxy);
      const exchange = new DispatchedExchange(sink, () => {
        pool.active -= 1;
      });
      pool.active += 1;
      // undici answers bad requests (a header value with a line break) through the handler, not by throwing.
      pool.dispatcher.dispatch(
        {
          origin,
          path,
          method: request.method,
          headers: withIdentity(request.headers),
          body: request.body ?? null,
        },
        exchange,
      );
      return exchange;
    } catch (cause) {
      // Told on the next turn, so that the caller always has its exchange before it hears how it ended.
      queueMicrotask(() => sink.onBroken(toUpstreamFault(cause)));
      return NO_EXCHANGE;
    }
  }

  /** Ends every exchange; for shutdown. */
  async close(): Promise<void> {
    await this.pools.close();
  }
}

function withIdentity(headers: Readonly<Record<string, string>>): Record<string, string> {
  return 'accept-encoding' in headers ? { ...headers } : { ...headers, 'accept-encoding': 'identity' };
}

/** Head of a reply that is inflated on the way: its encoding and length no longer hold. */
function withoutEncoding(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string | string[] | undefined> {
  const { 'content-encoding': _encoding, 'content-length': _length, ...rest } = headers;
  return rest;
}

/** One request under way: undici's handler and our exchange in one object, so that a call costs one allocation. */
class DispatchedExchange implements UpstreamExchange, Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | undefined;
  private inflate: InflateReply | null = null;
  private isOver = false;

  constructor(
    private readonly sink: UpstreamSink,
    private readonly onOver: () => void,
  ) {}

  resume(): void {
    if (this.inflate !== null) this.inflate.resume();
    else this.controller?.resume();
  }

  abort(): void {
    if (this.isOver) return;
    this.finish();
    this.controller?.abort(new AbortedByGateway());
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.isOver) controller.abort(new AbortedByGateway());
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // 100 Continue and 103 Early Hints announce the reply; they are not it.
    if (status < 200 || this.isOver) return;
    const encoding = headers['content-encoding'];
    if (encoding !== undefined && !this.beginInflating(controller, String(encoding))) return;
    this.sink.onHead(
      status,
      (this.inflate === null ? headers : withoutEncoding(headers)) as Record<string, string | string[]>,
    );
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.isOver) return;
    if (this.inflate !== null) {
      if (!this.inflate.write(chunk)) controller.pause();
    } else if (!this.sink.onBytes(chunk)) {
      controller.pause();
    }
  }

  onResponseEnd(): void {
    if (this.isOver) return;
    if (this.inflate !== null) {
      this.inflate.end();
      return;
    }
    this.finish();
    this.sink.onEnd();
  }

  onResponseError(_: Dispatcher.DispatchController, cause: Error): void {
    this.break(cause);
  }

  private beginInflating(controller: Dispatcher.DispatchController, encoding: string): boolean {
    const inflate = InflateReply.for(encoding, {
      onBytes: (chunk) => this.isOver || this.sink.onBytes(chunk),
      onEnd: () => {
        if (this.isOver) return;
        this.finish();
        this.sink.onEnd();
      },
      onBroken: (cause) => {
        this.break(cause);
        controller.abort(new AbortedByGateway());
      },
    });
    if (inflate === undefined) {
      this.break(new Error('the upstream used a content encoding that was not asked for'));
      controller.abort(new AbortedByGateway());
      return false;
    }
    inflate?.onDrain(() => controller.resume());
    this.inflate = inflate;
    return true;
  }

  private break(cause: unknown): void {
    if (this.isOver) return;
    this.finish();
    this.sink.onBroken(toUpstreamFault(cause));
  }

  private finish(): void {
    this.isOver = true;
    this.inflate?.destroy();
    this.onOver();
  }
}

class AbortedByGateway extends Error {
  readonly code = 'UND_ERR_ABORTED';
}
