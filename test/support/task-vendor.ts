import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request a vendor of tasks got. */
export interface VendorAsk {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

type Answer = (ask: VendorAsk) => unknown;

/** A midjourney-proxy or Suno-API whose words a test says. */
export class TaskVendor {
  readonly asked: VendorAsk[] = [];
  /** Answered with this, a status of its own in `status`; a promise is waited for. */
  answer: Answer = () => ({ code: 1, description: 'Submit success', result: 'task-1', properties: {} });
  private readonly watchers = new Set<() => void>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<TaskVendor> {
    const server = createServer();
    const vendor = new TaskVendor(server);
    server.on('request', (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const ask = { path: request.url ?? '', headers: request.headers, body: parse(Buffer.concat(parts)) };
        vendor.asked.push(ask);
        for (const watcher of vendor.watchers) watcher();
        void Promise.resolve(vendor.answer(ask)).then((document) => {
          const { status = 200, ...rest } = document as { readonly status?: number };
          response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(rest));
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

  /** Resolves with the next request. */
  next(): Promise<VendorAsk> {
    return new Promise((resolve) => {
      const watcher = (): void => {
        this.watchers.delete(watcher);
        resolve(this.asked.at(-1) as VendorAsk);
      };
      this.watchers.add(watcher);
    });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    if (this.server.listening) await once(this.server, 'close');
  }
}

function parse(bytes: Buffer): Record<string, unknown> {
  try {
    return JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
  } catch {
    return {};
  }
}
