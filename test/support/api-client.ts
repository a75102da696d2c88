import type { IncomingMessage } from 'node:http';
import request, { type Response } from 'supertest';

/** An answer of the console API. `body` is the parsed JSON, whatever its shape. */
export interface ApiReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    readonly success?: boolean;
    readonly message?: string;
    readonly code?: string;
    readonly data?: unknown;
    readonly [member: string]: unknown;
  };
}

/** A client of the console API as a browser of the console would be: cookie and user-id header. */
export class ApiClient {
  /** Headers of every call; tests may change them. */
  readonly headers: Record<string, string> = {};
  userId = -1;

  constructor(readonly baseUrl: string) {}

  /** Fails: throws when the login is refused. */
  static async signIn(baseUrl: string, username: string, password: string): Promise<ApiClient> {
    const client = new ApiClient(baseUrl);
    const reply = await client.send('POST', '/api/user/login', { username, password });
    if (reply.body.success !== true)
      throw new Error(`login of ${username} refused: ${JSON.stringify(reply.body)}`);
    client.userId = (reply.body.data as { id: number }).id;
    client.headers['cookie'] = sessionCookieOf(reply);
    client.headers['New-Api-User'] = String(client.userId);
    return client;
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiReply> {
    const asked = request(this.baseUrl)
      [VERBS[method] ?? 'get'](path)
      .set({
        ...this.headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      })
      .parse(readText);
    const answer = await (body === undefined ? asked : asked.send(JSON.stringify(body)));
    return { status: answer.status, headers: headersOf(answer.headers), body: parse(answer.body) };
  }

  get(path: string, headers?: Record<string, string>): Promise<ApiReply> {
    return this.send('GET', path, undefined, headers);
  }

  post(path: string, body: unknown): Promise<ApiReply> {
    return this.send('POST', path, body);
  }

  put(path: string, body: unknown): Promise<ApiReply> {
    return this.send('PUT', path, body);
  }

  delete(path: string, body?: unknown): Promise<ApiReply> {
    return this.send('DELETE', path, body);
  }

  /** @returns `data`. Fails: throws with the answer when it is not a success. */
  async expectSuccess<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
    const reply = await this.send(method, path, body);
    if (reply.status !== 200 || reply.body.success !== true) {
      throw new Error(`${method} ${path} answered ${reply.status} ${JSON.stringify(reply.body)}`);
    }
    return reply.body.data as T;
  }
}

/** The session cookie an answer sets, as a request sends it back. */
export function sessionCookieOf(reply: Pick<ApiReply, 'headers'>): string {
  const cookie = reply.headers.getSetCookie().find((text) => /^(__(Host|Secure)-)?session=/.test(text));
  return cookie?.split(';', 1)[0] ?? '';
}

const VERBS: Readonly<Record<string, 'get' | 'post' | 'put' | 'patch' | 'delete' | 'head' | 'options'>> = {
  GET: 'get',
  POST: 'post',
  PUT: 'put',
  PATCH: 'patch',
  DELETE: 'delete',
  HEAD: 'head',
  OPTIONS: 'options',
};

/** Read whatever its type: an unreadable answer is an answer to examine, too. */
function readText(response: Response, done: (fault: Error | null, text: string) => void): void {
  // A parser is given Node's own response, which the types leave out.
  const answer = response as unknown as IncomingMessage;
  let text = '';
  answer.setEncoding('utf8');
  answer.on('data', (piece: string) => {
    text += piece;
  });
  answer.on('end', () => done(null, text));
}

function headersOf(sent: Readonly<Record<string, string | readonly string[]>>): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(sent))
    for (const value of typeof values === 'string' ? [values] : values) headers.append(name, value);
  return headers;
}

function parse(text: string): ApiReply['body'] {
  try {
    return JSON.parse(text) as ApiReply['body'];
  } catch {
    // A page or plain text: tests look at it as `text`.
    return { text };
  }
}
