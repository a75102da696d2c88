import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RequestChecker } from './strict-vendors/request-check.js';

/** Answer of a test's own vendor to a request with its body. */
type Answer = (request: IncomingMessage, body: Buffer, response: ServerResponse) => void;

/** A vendor of one test, which refuses what the real one refuses before the test answers. */
export class StrictServer {
  private constructor(
    private readonly server: Server,
    private readonly checker: RequestChecker,
  ) {}

  static async start(answer: Answer): Promise<StrictServer> {
    const checker = new RequestChecker();
    const server = createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const body = Buffer.concat(pieces);
        const refusal = checker.refusalOfBytes(request.url ?? '', body, request.headers);
        if (refusal === undefined) {
          answer(request, body, response);
          return;
        }
        response.writeHead(400, { 'content-type': 'application/json' });
        response.end(JSON.stringify(refusal.body));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new StrictServer(server, checker);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Fails: when a request came that its vendor would have refused. */
  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
    this.checker.expectNone();
  }
}
