import { once } from 'node:events';
import { createServer as createPlainServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificate } from './certificate.ts';

/** A call as the receiver got it. */
export interface ReceivedCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface WebhookReceiver {
  readonly port: number;
  readonly calls: readonly ReceivedCall[];
  /** Answer from now on. */
  answer: { readonly status: number; readonly headers?: Record<string, string> };
  close(): Promise<void>;
}

/** A server on loopback that keeps what it is called with. @param certificate  https with it; without, plain http */
export async function startWebhookReceiver(certificate?: Certificate): Promise<WebhookReceiver> {
  const calls: ReceivedCall[] = [];
  const state: Pick<WebhookReceiver, 'answer'> = { answer: { status: 204 } };
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      calls.push({ path: request.url ?? '', headers: request.headers, body });
      response.writeHead(state.answer.status, state.answer.headers).end();
    });
  };
  const server =
    certificate === undefined ? createPlainServer(listener) : createServer(certificate, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    calls,
    get answer() {
      return state.answer;
    },
    set answer(answer) {
      state.answer = answer;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
