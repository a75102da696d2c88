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
import { getOrRemember } from '../../common/get-or-add.js';
import { buildConnector, type Dispatcher, Pool, ProxyAgent, Socks5ProxyAgent } from 'undici';
import { DIRECT_READS } from '../sockets/socket-buffers.js';
import { hostUseOf, OutboundRefusal } from './safe-url.js';
import { UndiciPool, type UpstreamPool } from './upstream-pool.js';
import { Http1Pool } from './http1-pool.js';

/** Destination of a request: a pool, and the path. */
export interface Destination {
  readonly path: string;
  readonly pool: UpstreamPool;
}

/** Origins remembered at once; beyond it the least recently used idle one is closed. */
const MAX_POOLS = 256;
/** Addresses whose destination is remembered: a few per channel. */
const MAX_DESTINATIONS = 2_048;
/** Same value as for pooled HTTP/1 connections (http1-pool.ts). */
const IDLE_SOCKET_MS = 15_000;

/** One pool per origin and proxy; addresses are checked once, names again at every connection. */
export class UpstreamPools {
  /** Insertion order is use order. */
  private readonly pools = new Map<string, UpstreamPool>();
  private readonly destinations = new Map<string, Destination>();

  constructor(
    private readonly policy: OutboundPolicy,
    private readonly caller: OutboundCaller,
    private readonly limits: PoolLimits,
    private readonly usesHttp1Pool: boolean,
  ) {}

  /** Fails: throws OutboundRefusal. */
  destinationOf(address: string, proxy: string | undefined): Destination {
    const key = proxy === undefined ? address : `${proxy} ${address}`;
    return getOrRemember(this.destinations, MAX_DESTINATIONS, key, () => {
      const url = this.policy.parse(address, this.caller);
      return { path: url.pathname + url.search, pool: this.poolOf(url, proxy) };
    });
  }

  /** Origins, connections to them, and running exchanges. */
  stats(): { readonly origins: number; readonly connections: number; readonly active: number } {
    let [connections, active] = [0, 0];
    for (const pool of this.pools.values()) {
      connections += pool.connections;
      active += pool.active;
    }
    return { origins: this.pools.size, connections, active };
  }

  async close(): Promise<void> {
    const pools = [...this.pools.values()];
    this.pools.clear();
    this.destinations.clear();
    await Promise.all(pools.map((pool) => pool.close()));
  }

  private poolOf(url: URL, proxy: string | undefined): UpstreamPool {
    const key = `${proxy ?? ''} ${url.origin}`;
    const known = this.pools.get(key);
    if (known !== undefined) {
      this.pools.delete(key);
      this.pools.set(key, known);
      return known;
    }
    if (this.pools.size >= MAX_POOLS) this.closeOneIdlePool();
    const pool = proxy === undefined ? this.openPool(url) : new UndiciPool(url.origin, this.openProxy(proxy));
    this.pools.set(key, pool);
    return pool;
  }

  private closeOneIdlePool(): void {
    for (const [key, pool] of this.pools) {
      if (pool.active > 0) continue;
      this.pools.delete(key);
      for (const [address, destination] of this.destinations) {
        if (destination.pool === pool) this.destinations.delete(address);
      }
      // Nothing runs on it, so a failure to close it needs no report.
      pool.close().catch(() => undefined);
      return;
    }
  }

  private openPool(url: URL): UpstreamPool {
    const { limits } = this;
    const options = {
      timeout: limits.connectTimeoutMs,
      lookup: this.policy.lookupFor(this.caller, hostUseOf(url)),
      allowH2: false,
    };
    if (this.usesHttp1Pool)
      return new Http1Pool(url, buildConnector({ ...options, onread: DIRECT_READS }), limits);
    const { connections } = limits;
    const connect = buildConnector(options);
    return new UndiciPool(
      url.origin,
      new Pool(url.origin, { ...this.clientOptions(), connections, connect }),
    );
  }

  private openProxy(proxy: string): Dispatcher {
    if (!URL.canParse(proxy)) throw new OutboundRefusal('The proxy of this channel is not a valid address.');
    const url = new URL(proxy);
    this.policy.checkProxy(url);
    const lookup = this.policy.lookupFor('channel', hostUseOf(url));
    const connect = { timeout: this.limits.connectTimeoutMs, lookup };
    switch (url.protocol) {
      case 'http:':
      case 'https:':
        return new ProxyAgent({
          ...this.clientOptions(),
          uri: proxy,
          connectTimeout: connect.timeout,
          proxyTls: connect,
        });
      case 'socks:':
      case 'socks5:':
      case 'socks5h:':
        // With `proxyTls` undici would use TLS to the proxy; socks5h describes its behaviour in any case.
        return new Socks5ProxyAgent(proxy.replace(/^socks5h:/i, 'socks5:'), {
          ...this.clientOptions(),
          connect: buildConnector(connect),
        });
      default:
        throw new OutboundRefusal('The proxy of a channel must be an http, https or socks5 address.');
    }
  }

  private clientOptions() {
    return {
      pipelining: 1,
      allowH2: false,
      maxHeaderSize: this.limits.maxHeaderBytes,
      keepAliveTimeout: IDLE_SOCKET_MS,
      keepAliveMaxTimeout: IDLE_SOCKET_MS,
      // The callers' own clocks bound first byte, idle time and total time: cheaper than a timer per socket.
      headersTimeout: 0,
      bodyTimeout: 0,
    };
  }
}

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
      // Reported on the next turn, so that the caller always has its exchange before its end.
      queueMicrotask(() => {
        if (exchange === undefined) sink.onBroken(toUpstreamFault(cause));
        else exchange.fail(cause);
      });
      return exchange ?? NO_EXCHANGE;
    }
  }

  /** Origins, connections to them, and running exchanges. */
  stats(): ReturnType<UpstreamPools['stats']> {
    return this.pools.stats();
  }

  /** Ends every exchange; for shutdown. */
  async close(): Promise<void> {
    await this.pools.close();
  }
}
