import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One streamed answer of the vendor: the content that it sends at once, and the end that waits for the test. */
export interface GatedAnswer {
  readonly content: readonly string[];
  readonly end: readonly string[];
}

/** One request that the vendor answers. */
export interface OpenAnswer {
  readonly response: ServerResponse;
  readonly answer: GatedAnswer;
  /** The gateway closed the connection. */
  isCancelled: boolean;
}

export const event = (document: object, name = ''): string =>
  `${name === '' ? '' : `event: ${name}\n`}data: ${JSON.stringify(document)}\n\n`;

/** A vendor that sends the content of an answer at once, and its end when the test lets it. */
export class GatedVendor {
  readonly open: OpenAnswer[] = [];
  readonly bodies: Buffer[] = [];
  /** The next answer, by the request's address and body. */
  answer: (path: string, body: Buffer) => GatedAnswer = () => ({ content: [], end: [] });

  private constructor(private readonly server: Server) {}

  static async start(): Promise<GatedVendor> {
    const server = createServer();
    const vendor = new GatedVendor(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => vendor.begin(request.url ?? '', Buffer.concat(chunks), response));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return vendor;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get last(): OpenAnswer {
    const last = this.open.at(-1);
    if (last === undefined) throw new Error('the vendor was not asked');
    return last;
  }

  /** Ends the last answer. */
  finish(one = this.last): void {
    one.response.end(one.answer.end.join(''));
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private begin(path: string, body: Buffer, response: ServerResponse): void {
    this.bodies.push(body);
    const one: OpenAnswer = { response, answer: this.answer(path, body), isCancelled: false };
    response.on('close', () => {
      one.isCancelled = !response.writableFinished;
    });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(one.answer.content.join(''));
    this.open.push(one);
  }
}
