import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RequestChecker } from '../../../support/strict-vendors/request-check.js';
import type { VendorRequest } from '../../../support/vendor-request.js';

export type { VendorRequest };

export type VendorAnswer = (request: VendorRequest, response: ServerResponse) => void | Promise<void>;

/** An upstream with one script per path, over real HTTP. */
export class ScriptedVendor {
  readonly requests: VendorRequest[] = [];
  /** Requests whose connection the other side closed before they were answered. */
  cancelled = 0;
  private readonly answers = new Map<string, VendorAnswer>();
  private readonly watchers = new Set<() => void>();

  private constructor(
    readonly server: Server,
    private readonly checker: RequestChecker,
  ) {}

  /** @param options.isLenient  takes what its vendor would refuse, for tests of such requests */
  static async start({ isLenient = false }: { readonly isLenient?: boolean } = {}): Promise<ScriptedVendor> {
    const server = createServer();
    const vendor = new ScriptedVendor(server, new RequestChecker(isLenient));
    server.on('request', (request, response) => void vendor.serve(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return vendor;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  on(path: string, answer: VendorAnswer): void {
    this.answers.set(path, answer);
  }

  /** The last request to a path. */
  last(path: string): VendorRequest {
    const found = this.requests.findLast((request) => request.path === path);
    if (found === undefined) throw new Error(`nothing was asked of ${path}`);
    return found;
  }

  /** Resolves when `isTrue` holds; looked at whenever something happened here. */
  async until(isTrue: () => boolean, timeoutMs = 10_000): Promise<void> {
    if (isTrue()) return;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the vendor did not see it')), timeoutMs);
      const watcher = (): void => {
        if (!isTrue()) return;
        clearTimeout(timer);
        this.watchers.delete(watcher);
        resolve();
      };
      this.watchers.add(watcher);
    });
  }

  /** Fails: when a request came that the vendor would have refused. */
  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
    this.checker.expectNone();
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = (request.url ?? '').split('?')[0] ?? '';
    const seen = {
      method: request.method ?? '',
      path,
      headers: request.headers,
      body: Buffer.concat(chunks),
    };
    this.requests.push(seen);
    response.once('close', () => {
      if (!response.writableFinished) this.cancelled += 1;
      this.tell();
    });
    this.tell();
    const refusal = this.checker.refusalOfBytes(path, seen.body, seen.headers);
    const answer = this.answers.get(path);
    if (refusal !== undefined) answerJson(response, refusal.body, 400);
    else if (answer === undefined) {
      answerJson(
        response,
        { error: { message: `no script for ${path}`, type: 'invalid_request_error' } },
        404,
      );
    } else await answer(seen, response);
  }

  private tell(): void {
    for (const watcher of this.watchers) watcher();
  }
}

export function answerJson(response: ServerResponse, document: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(document));
}

/** Events as a vendor streams them; each in a write of its own. */
export function answerEvents(response: ServerResponse, events: readonly { readonly type: string }[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
}

/** The fields of a form, files as their bytes in latin1. */
export async function formOf(request: VendorRequest): Promise<Record<string, string>> {
  const type = request.headers['content-type'] ?? '';
  const form = await new Response(new Uint8Array(request.body), {
    headers: { 'content-type': type },
  }).formData();
  const fields: Record<string, string> = {};
  for (const [name, value] of form) {
    fields[name] =
      typeof value === 'string' ? value : Buffer.from(await value.arrayBuffer()).toString('latin1');
  }
  return fields;
}

/** A second of silence as WAV: 8,000 samples of one byte. */
export function wavOf(seconds: number): Buffer {
  const samples = 8_000 * seconds;
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + samples, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8_000, 24);
  header.writeUInt32LE(8_000, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36);
  header.writeUInt32LE(samples, 40);
  return Buffer.concat([header, Buffer.alloc(samples, 128)]);
}
