import { contained } from '../../common/contain-faults.js';
import { connect as connectTcp, type Socket } from 'node:net';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { connect as connectTls } from 'node:tls';
import { WebSocket } from 'ws';
import {
  type DialOutcome,
  RealtimeDialer,
  type RealtimeRequest,
} from '../../relay-core/ports/realtime-socket.js';
import { hostUseOf, type OutboundPolicy, OutboundRefusal } from './safe-url.js';
import { tunnelThrough } from './socket-tunnel.js';
import { toUpstreamFault } from './upstream-fault.js';
import { MAX_FRAME_BYTES, WsRealtimeSocket } from './ws-realtime-socket.js';

const CONNECT_MS = 10_000;
const MAX_REFUSAL_BYTES = 64 * 1024;
const REFUSAL_MS = 5_000;

/** Opens WebSockets to upstreams: the same policy, the same proxies as every call; no redirects, no compression. */
export class WsRealtimeDialer extends RealtimeDialer {
  constructor(private readonly policy: OutboundPolicy) {
    super();
  }

  override async dial(request: RealtimeRequest, signal: AbortSignal): Promise<DialOutcome> {
    let socket: Socket;
    try {
      // The policy knows http addresses; a WebSocket begins as one.
      const url = this.policy.parse(request.url.replace(/^ws/, 'http'), 'channel');
      socket = await this.connect(url, request.proxy, signal);
    } catch (cause) {
      return { type: 'broken', fault: toUpstreamFault(cause) };
    }
    return shakeHands(request, socket, signal);
  }

  /** A connection to the upstream, encrypted by the scheme of its address. */
  private async connect(url: URL, proxy: string | undefined, signal: AbortSignal): Promise<Socket> {
    const isSecure = url.protocol === 'https:';
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port);
    const lookup = this.policy.lookupFor('channel', hostUseOf(url));
    let plain: Socket;
    if (proxy === undefined || proxy === '') {
      plain = await opened(connectTcp({ host, port, lookup, timeout: CONNECT_MS }), 'connect', signal);
    } else {
      if (!URL.canParse(proxy))
        throw new OutboundRefusal('The proxy of this channel is not a valid address.');
      const address = new URL(proxy);
      this.policy.checkProxy(address);
      const proxyLookup = this.policy.lookupFor('channel', hostUseOf(address));
      plain = await tunnelThrough(address, {
        host,
        port,
        lookup: proxyLookup,
        timeoutMs: CONNECT_MS,
        signal,
      });
    }
    if (!isSecure) return plain;
    const secure = connectTls({ socket: plain, servername: host, ALPNProtocols: ['http/1.1'] });
    secure.setTimeout(CONNECT_MS);
    return opened(secure, 'secureConnect', signal);
  }
}

/** Waits until a socket is usable. Fails: with its error, or when time is up. */
export function opened<One extends Socket>(
  socket: One,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<One> {
  return new Promise((resolve, reject) => {
    const stop = (fault: Error): void => {
      socket.destroy();
      reject(fault);
    };
    const onAbort = contained(() => stop(Object.assign(new Error('given up'), { code: 'UND_ERR_ABORTED' })));
    const begin = (): void => {
      signal.removeEventListener('abort', onAbort);
      socket.setTimeout(0);
      socket.removeAllListeners('timeout');
      resolve(socket);
    };
    const onTimeout = (): void => stop(Object.assign(new Error('too slow'), { code: 'ETIMEDOUT' }));
    socket.once(
      event,
      contained(begin, () => socket.destroy()),
    );
    socket.once('timeout', contained(onTimeout));
    // It stays: an error that comes before the next owner listens must not end the process.
    socket.on('error', contained(stop));
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}

function shakeHands(request: RealtimeRequest, socket: Socket, signal: AbortSignal): Promise<DialOutcome> {
  return new Promise((resolve) => {
    const webSocket = new WebSocket(request.url, [...request.protocols], {
      headers: { 'user-agent': 'tollgate', ...request.headers },
      createConnection: () => socket,
      followRedirects: false,
      perMessageDeflate: false,
      maxPayload: MAX_FRAME_BYTES,
      handshakeTimeout: CONNECT_MS * 3,
    });
    const onAbort = contained(() => webSocket.terminate());
    signal.addEventListener('abort', onAbort, { once: true });
    const settle = (outcome: DialOutcome): void => {
      signal.removeEventListener('abort', onAbort);
      resolve(outcome);
    };
    const connection = new WsRealtimeSocket(webSocket, false);
    const begin = (): void => {
      connection.count(socket);
      settle({ type: 'opened', socket: connection });
    };
    const refuse = (handshake: ClientRequest, reply: IncomingMessage): void => {
      void readRefusal(reply).then((body) => {
        handshake.destroy();
        settle({ type: 'refused', status: reply.statusCode ?? 502, headers: reply.headers, body });
      });
    };
    const fail = (cause: Error): void => {
      settle({ type: 'broken', fault: toUpstreamFault(cause) });
      // After a frame that cannot be read `ws` would wait half a minute for the other side's closing frame.
      if (webSocket.readyState !== WebSocket.CONNECTING) webSocket.terminate();
    };
    webSocket.once('open', contained(begin, onAbort));
    webSocket.once('unexpected-response', contained(refuse, onAbort));
    webSocket.on('error', contained(fail));
    if (signal.aborted) onAbort();
  });
}

/** The first bytes of what was answered instead. */
function readRefusal(reply: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = contained(() => resolve(Buffer.concat(chunks)));
    const cut = contained(() => reply.destroy());
    const take = (chunk: Buffer): void => {
      chunks.push(chunk.subarray(0, MAX_REFUSAL_BYTES - size));
      size += chunk.length;
      if (size >= MAX_REFUSAL_BYTES) cut();
    };
    reply.setTimeout(REFUSAL_MS, cut);
    reply.on('data', contained(take, cut));
    // The status is what matters: a sentence cut short is still one.
    reply.once('close', finish);
    reply.once('error', finish);
  });
}
