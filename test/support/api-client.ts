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
    const response = await fetch(this.baseUrl + path, {
      method,
      redirect: 'manual',
      headers: {
        ...this.headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parse(text) };
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
  const cookie = reply.headers.getSetCookie().find((text) => /^(__Host-)?session=/.test(text));
  return cookie?.split(';', 1)[0] ?? '';
}

function parse(text: string): ApiReply['body'] {
  try {
    return JSON.parse(text) as ApiReply['body'];
  } catch {
    // A page or plain text: tests look at it as `text`.
    return { text };
  }
}
