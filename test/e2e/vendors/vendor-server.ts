import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { AWS_STREAM } from '../../support/aws-frames.js';
import { RequestChecker } from '../../support/strict-vendors/request-check.js';

/** A request a vendor got. */
export interface VendorRequest {
  readonly method: string;
  /** Path and query of the request line. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly body: Readonly<Record<string, unknown>>;
  /** The gateway closed the connection before the answer was whole. */
  isCancelled: boolean;
}

export type VendorAnswer = (request: VendorRequest, response: ServerResponse) => void | Promise<void>;

/** A vendor with API formats of its own, scripted by path; its requests are kept. */
export class VendorServer {
  readonly requests: VendorRequest[] = [];
  private readonly routes = new Map<string, VendorAnswer>();
  private readonly watchers = new Set<() => void>();

  private constructor(
    private readonly server: Server,
    private readonly sockets: Set<Socket>,
    private readonly checker: RequestChecker,
  ) {}

  /** @param options.isLenient  takes what its vendor would refuse, for tests of such requests */
  static async start({ isLenient = false }: { readonly isLenient?: boolean } = {}): Promise<VendorServer> {
    const sockets = new Set<Socket>();
    const server = createServer();
    const vendor = new VendorServer(server, sockets, new RequestChecker(isLenient));
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    server.on('request', (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const bytes = Buffer.concat(parts);
        const entry: VendorRequest = {
          method: request.method ?? '',
          path: request.url ?? '',
          headers: request.headers,
          bytes,
          body: (bytes.length === 0 ? {} : JSON.parse(bytes.toString())) as Record<string, unknown>,
          isCancelled: false,
        };
        response.once('close', () => {
          entry.isCancelled = !response.writableFinished;
          vendor.changed();
        });
        vendor.requests.push(entry);
        vendor.changed();
        const refusal = vendor.checker.refusalOf(entry.path, entry.body, entry.headers);
        if (refusal !== undefined) return void json(refusal.body, 400)(entry, response);
        const answer = vendor.routes.get(entry.path.split('?', 1)[0] ?? '');
        if (answer === undefined) response.writeHead(404).end('{"message":"no such path"}');
        else void answer(entry, response);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return vendor;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Adds or replaces the answer of a path. */
  on(path: string, answer: VendorAnswer): void {
    this.routes.set(path, answer);
  }

  /** The last request of a path. */
  last(path: string): VendorRequest {
    const found = this.requests.findLast((request) => request.path.split('?', 1)[0] === path);
    if (found === undefined)
      throw new Error(`${path} was not asked, but ${this.requests.map((one) => one.path).join()}`);
    return found;
  }

  /** Resolves as soon as `isTrue` holds; looked at whenever something happens here. */
  async waitUntil(isTrue: () => boolean): Promise<void> {
    if (isTrue()) return;
    await new Promise<void>((resolve) => {
      const watcher = (): void => {
        if (!isTrue()) return;
        this.watchers.delete(watcher);
        resolve();
      };
      this.watchers.add(watcher);
    });
  }

  /** Fails: when a request came that the vendor would have refused. */
  async close(): Promise<void> {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    if (this.server.listening) await once(this.server, 'close');
    this.checker.expectNone();
  }

  private changed(): void {
    for (const watcher of this.watchers) watcher();
  }
}

/** Answers with one JSON document. */
export const json =
  (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): VendorAnswer =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };

/** Answers with an event stream; each event's JSON on a data line. */
export const sse =
  (events: readonly unknown[]): VendorAnswer =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of events) response.write(`data: ${JSON.stringify(event)}\n\n`);
    response.end();
  };

/** Answers with lines of JSON. */
export const jsonLines =
  (lines: readonly unknown[]): VendorAnswer =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  };

/** Answers with frames of AWS. */
export const awsStream =
  (frames: readonly Buffer[]): VendorAnswer =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': AWS_STREAM });
    for (const frame of frames) response.write(frame);
    response.end();
  };
