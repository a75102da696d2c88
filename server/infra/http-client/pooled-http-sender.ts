import {
  HttpSender,
  type UpstreamExchange,
  type UpstreamRequest,
  type UpstreamSink,
} from '../../relay-core/ports/http-sender.js';
import { Exchange } from './exchange.js';
import type { OutboundCaller } from './outbound-callers.js';
import type { OutboundPolicy } from './safe-url.js';
import { toUpstreamFault } from './upstream-fault.js';
import type { PoolLimits } from './upstream-pool.js';
import { UpstreamPools } from './upstream-pools.js';

const OF_FETCHES: PoolLimits = { connectTimeoutMs: 3_000, maxHeaderBytes: 32 * 1024, connections: 16 };

const LIMITS: Readonly<Record<OutboundCaller, PoolLimits>> = {
  channel: { connectTimeoutMs: 5_000, maxHeaderBytes: 32 * 1024, connections: 6_000 },
  answer: OF_FETCHES,
  identity: OF_FETCHES,
  service: { ...OF_FETCHES, connections: 64 },
  user: OF_FETCHES,
};

const NO_EXCHANGE: UpstreamExchange = { resume: () => undefined, abort: () => undefined };

/**
 * The only way out of this process over HTTP. Pushes bytes from the socket straight into the sink: no web streams, no
 * iterators. HTTP/1.1 without pipelining; redirects are never followed.
 */
export class PooledHttpSender extends HttpSender {
  private readonly pools: UpstreamPools;

  /** @param usesHttp1Pool  false = undici carries direct calls too, not only those through proxies */
  constructor(policy: OutboundPolicy, caller: OutboundCaller = 'channel', usesHttp1Pool = true) {
    super();
    this.pools = new UpstreamPools(policy, caller, LIMITS[caller], usesHttp1Pool);
  }

  send(request: UpstreamRequest, sink: UpstreamSink): UpstreamExchange {
    let exchange: Exchange | undefined;
    try {
      const { path, pool } = this.pools.destinationOf(request.url, request.proxy);
      exchange = new Exchange(sink, pool);
      pool.dispatch(request, path, exchange);
      return exchange;
    } catch (cause) {
      // Told on the next turn, so that the caller always has its exchange before it hears how it ended.
      queueMicrotask(() => {
        if (exchange === undefined) sink.onBroken(toUpstreamFault(cause));
        else exchange.fail(cause);
      });
      return exchange ?? NO_EXCHANGE;
    }
  }

  /** Origins, connections to them, and exchanges under way. */
  stats(): ReturnType<UpstreamPools['stats']> {
    return this.pools.stats();
  }

  /** Ends every exchange; for shutdown. */
  async close(): Promise<void> {
    await this.pools.close();
  }
}
