import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { fetchBounded } from '../../../../server/infra/http-client/fetch-bounded.js';
import { OutboundClient } from '../../../../server/infra/http-client/outbound-client.js';
import { PooledHttpSender } from '../../../../server/infra/http-client/pooled-http-sender.js';
import type { FetchCaller, OutboundCaller } from '../../../../server/infra/http-client/outbound-callers.js';
import { OutboundPolicy } from '../../../../server/infra/http-client/safe-url.js';
import { WsRealtimeDialer } from '../../../../server/infra/http-client/ws-realtime-dialer.js';
import { connectToMailServer } from '../../../../server/base/notifications/mail/smtp-server.js';

const NAME = 'moves.example';
const PUBLIC = '8.8.8.8';
const LIMITS = { timeoutMs: 5_000, maxBytes: 1_024 };

/** Answers of our own name server, one after the other; the last one stays. */
class MovingName {
  asked = 0;
  constructor(private readonly answers: readonly string[]) {}

  policy(allowedPrivateHosts: readonly string[] = []): OutboundPolicy {
    const allowedPrivateHostsUsers = allowedPrivateHosts.map((host) => `${host}:*`);
    const lists = { allowedPrivateHosts, allowedPrivateHostsUsers };
    return new OutboundPolicy({ ...lists, isLoopback: false }, (_name, callback) => {
      const address = this.answers[Math.min(this.asked, this.answers.length - 1)] ?? '';
      this.asked += 1;
      callback(null, [{ address, family: address.includes(':') ? 6 : 4 }]);
    });
  }
}

/** Address of this machine each connection came in at. */
let reached: string[];
const sockets = new Set<Socket>();
let server: Server;
let port: number;
beforeAll(async () => {
  server = createServer((socket) => {
    reached.push(String(socket.localAddress).replace('::ffff:', ''));
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}');
  }).listen(0, '0.0.0.0');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
beforeEach(() => {
  reached = [];
});
afterAll(async () => {
  server.close();
  for (const socket of sockets) socket.destroy();
  await once(server, 'close');
});

interface Way {
  readonly name: string;
  readonly caller: OutboundCaller;
  readonly address: () => string;
  /** Calls, and says what came of it. */
  readonly call: (policy: OutboundPolicy) => Promise<string>;
}

const get = (url: string, proxy?: string) => ({
  method: 'GET' as const,
  url,
  headers: {},
  body: undefined,
  ...(proxy === undefined ? {} : { proxy }),
});
const overHttp = async (
  policy: OutboundPolicy,
  url: string,
  { caller = 'channel', proxy }: { readonly caller?: OutboundCaller; readonly proxy?: string } = {},
): Promise<string> => {
  const sender = new PooledHttpSender(policy, caller);
  try {
    const reply = await fetchBounded(sender, get(url, proxy), LIMITS);
    return reply.ok ? String(reply.value.status) : reply.error.kind;
  } finally {
    await sender.close();
  }
};
const overClient = async (policy: OutboundPolicy, caller: FetchCaller): Promise<string> => {
  const client = new OutboundClient(policy);
  try {
    const reply = await client.fetch(caller, get(`https://${NAME}:${port}/`), LIMITS);
    return reply.ok ? String(reply.value.status) : reply.error.kind;
  } finally {
    await client.close();
  }
};
const WAYS: readonly Way[] = [
  {
    name: 'a channel',
    caller: 'channel',
    address: () => `http://${NAME}:${port}/`,
    call: (policy) => overHttp(policy, `http://${NAME}:${port}/`),
  },
  {
    name: 'a channel over TLS',
    caller: 'channel',
    address: () => `https://${NAME}:${port}/`,
    call: (policy) => overHttp(policy, `https://${NAME}:${port}/`),
  },
  ...(['http', 'socks5'] as const).map((kind): Way => ({
    name: `the ${kind} proxy of a channel`,
    caller: 'channel',
    address: () => `http://${NAME}:${port}/`,
    call: (policy) => overHttp(policy, 'https://vendor.example/', { proxy: `${kind}://${NAME}:${port}` }),
  })),
  ...(['answer', 'identity', 'service', 'user'] as const).map((caller): Way => ({
    name: `a fetch of the kind ${caller}`,
    caller,
    address: () => `https://${NAME}:${port}/`,
    call: (policy) => overClient(policy, caller),
  })),
  {
    name: 'a realtime session',
    caller: 'channel',
    address: () => `http://${NAME}:${port}/`,
    call: async (policy) => {
      const outcome = await new WsRealtimeDialer(policy).dial(
        { url: `ws://${NAME}:${port}/`, headers: {}, protocols: [] },
        AbortSignal.timeout(LIMITS.timeoutMs),
      );
      return outcome.type === 'broken' ? outcome.fault.kind : outcome.type;
    },
  },
  {
    name: 'a mail server',
    caller: 'service',
    address: () => `https://${NAME}:${port}/`,
    call: (policy) =>
      connectToMailServer(policy, { host: NAME, port }, LIMITS.timeoutMs).then(
        (socket) => {
          socket.destroy();
          return 'connected';
        },
        (error: unknown) => String((error as { code?: unknown }).code),
      ),
  },
];

describe.each(WAYS)(
  'a name that resolves anew between check and call: $name',
  ({ caller, address, call }) => {
    it.each(['127.0.0.1', '::1', '10.0.0.1', '169.254.169.254'])(
      'refuses it when it leads to %s by then, and connects to nothing',
      async (inside) => {
        const name = new MovingName([PUBLIC, inside]);
        const policy = name.policy();
        await policy.check(address(), caller);
        const said = await call(policy);
        expect(name.asked).toBeGreaterThanOrEqual(2);
        expect(said).toMatch(/refused|REFUSED/);
        expect(reached).toEqual([]);
      },
    );

    it('calls it where it leads when that is allowed: the same call does reach the server', async () => {
      await call(new MovingName(['127.0.0.1']).policy(['127.0.0.1', 'vendor.example']));
      expect(reached).toEqual(['127.0.0.1']);
    });
  },
);

describe('a connection that is made again', () => {
  it('resolves the name again, and does not follow it to a forbidden address', async () => {
    const name = new MovingName(['127.0.0.1', '127.0.0.2']);
    const sender = new PooledHttpSender(name.policy(['127.0.0.1']));
    try {
      const request = get(`http://${NAME}:${port}/`);
      expect(await fetchBounded(sender, request, LIMITS)).toMatchObject({ ok: true });
      expect(await fetchBounded(sender, request, LIMITS)).toMatchObject({ ok: false });
    } finally {
      await sender.close();
    }
    expect(name.asked).toBeGreaterThanOrEqual(2);
    expect(reached).toEqual(['127.0.0.1']);
  });
});
