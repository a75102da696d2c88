import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A token as the widget would have handed it out. */
interface IssuedToken {
  readonly hostname: string;
  readonly action: string;
}

/** Fields of a verification request. */
export interface Verification {
  readonly secret: string;
  readonly response: string;
  readonly remoteIp: string;
}

/** A server that verifies human-check tokens as Turnstile documents it: each once, for its secret, as JSON. */
export interface TurnstileServer {
  readonly url: string;
  readonly verifications: readonly Verification[];
  /** A token the widget could have made. */
  issue(token?: Partial<IssuedToken>): string;
  /** `away`: 500 without a verdict. `silent`: takes the request and never answers. */
  mode: 'works' | 'away' | 'silent';
  close(): Promise<void>;
}

export const TURNSTILE_SECRET = '1x-secret-of-the-tests';

export async function startTurnstileServer(): Promise<TurnstileServer> {
  const issued = new Map<string, IssuedToken>();
  const verifications: Verification[] = [];
  const state: { mode: TurnstileServer['mode'] } = { mode: 'works' };
  let count = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
      const secret = form.get('secret') ?? '';
      const token = form.get('response') ?? '';
      verifications.push({ secret, response: token, remoteIp: form.get('remoteip') ?? '' });
      if (state.mode === 'silent') return;
      if (state.mode === 'away') {
        response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>Error</h1>');
        return;
      }
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(verdictOn(secret, token)));
    });
  });
  const verdictOn = (secret: string, token: string): object => {
    if (secret !== TURNSTILE_SECRET) return refusal('invalid-input-secret');
    const known = issued.get(token);
    issued.delete(token);
    if (known === undefined) return refusal('timeout-or-duplicate');
    return { success: true, challenge_ts: '2026-11-21T00:00:00.000Z', 'error-codes': [], ...known };
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/turnstile/v0/siteverify`,
    verifications,
    issue: ({ hostname = '127.0.0.1', action = '' } = {}) => {
      const token = `0.token-${(count += 1)}`;
      issued.set(token, { hostname, action });
      return token;
    },
    get mode() {
      return state.mode;
    },
    set mode(mode) {
      state.mode = mode;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const refusal = (code: string): object => ({ success: false, 'error-codes': [code] });
