import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RequestChecker } from '../../../support/strict-vendors/request-check.js';
import { object } from '../../../support/strict-vendors/story.js';

export interface Ask {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Parsed JSON; null = there was none. */
  readonly body: unknown;
}

/** Body sent as it is (text, bytes), or as JSON. */
export interface Say {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** An upstream with scripted answers, malformed ones too. */
export class ScriptedVendor {
  readonly asked: Ask[] = [];
  say: (ask: Ask) => Say | Promise<Say> = () => ({ body: [] });

  private constructor(
    private readonly server: Server,
    private readonly checker: RequestChecker,
  ) {}

  /** @param options.isLenient  takes what its vendor would refuse, for tests of such requests */
  static async start({ isLenient = false }: { readonly isLenient?: boolean } = {}): Promise<ScriptedVendor> {
    const server = createServer();
    const vendor = new ScriptedVendor(server, new RequestChecker(isLenient));
    server.on('request', (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const text = Buffer.concat(parts).toString('utf8');
        const ask = {
          path: request.url ?? '',
          headers: request.headers,
          body: text === '' ? null : (JSON.parse(text) as unknown),
        };
        vendor.asked.push(ask);
        const refusal = vendor.checker.refusalOf(ask.path, object(ask.body), ask.headers);
        const said = refusal === undefined ? vendor.say(ask) : { status: 400, body: refusal.body };
        void Promise.resolve(said).then(({ status = 200, headers, body }) => {
          const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
          response.writeHead(status, { 'content-type': 'application/json', ...headers });
          response.end(isRaw ? body : JSON.stringify(body));
        });
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return vendor;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The same body from now on, for every request. */
  says(body: unknown, status = 200): void {
    this.asked.length = 0;
    this.say = () => ({ status, body });
  }

  /** Fails: when a request came that the vendor would have refused. */
  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    if (this.server.listening) await once(this.server, 'close');
    this.checker.expectNone();
  }
}
