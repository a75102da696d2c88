import type { Stripe } from 'stripe';
import type { OutboundClient } from '../../../infra/http-client/outbound-client.js';

type HttpClient = NonNullable<NonNullable<ConstructorParameters<typeof Stripe>[1]>['httpClient']>;
type Reply = Awaited<ReturnType<HttpClient['makeRequest']>>;

const LIMITS = { timeoutMs: 20_000, maxBytes: 1024 * 1024 } as const;

/** Carries what the stripe package says over our own client, so that the outbound policy holds for it as for everything else. */
export class StripeHttpClient implements HttpClient {
  constructor(private readonly client: OutboundClient) {}

  getClientName(): string {
    return 'tollgate';
  }

  /** Fails: throws with the kind of fault; the stripe package turns it into its connection error. */
  async makeRequest(
    ...[host, port, path, method, headers, body, protocol]: Parameters<HttpClient['makeRequest']>
  ): Promise<Reply> {
    if (method !== 'GET' && method !== 'POST') throw new Error(`no ${method} requests are made here`);
    const authority = port === '' || port === '443' ? host : `${host}:${port}`;
    const reply = await this.client.fetch(
      'service',
      {
        method,
        url: `${protocol}://${authority}${path}`,
        headers: textHeaders(headers),
        body: method === 'POST' ? Buffer.from(body ?? '') : undefined,
      },
      LIMITS,
    );
    if (!reply.ok) throw new Error(`Stripe cannot be reached: ${reply.error.kind}`);
    return toResponse(reply.value);
  }
}

/** Lengths and connections are our client's own business. */
function textHeaders(headers: Parameters<HttpClient['makeRequest']>[4]): Record<string, string> {
  const entries = Object.entries(headers ?? {}).filter(
    ([name, value]) => value !== undefined && !/^(content-length|connection|host)$/i.test(name),
  );
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]));
}

function toResponse(reply: {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer;
}): Reply {
  return {
    getStatusCode: () => reply.status,
    getHeaders: () => ({ ...reply.headers }) as ReturnType<Reply['getHeaders']>,
    getRawResponse: () => reply,
    toStream: () => {
      throw new Error('answers are read whole');
    },
    toJSON: async () => JSON.parse(reply.body.toString('utf8')) as unknown,
  };
}
