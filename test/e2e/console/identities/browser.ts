import { randomBytes } from 'node:crypto';
import type { ApiReply } from '../../../support/api-client.ts';

/** A browser with a page of the console in it: keeps cookies, names its user, says where requests come from. */
export class Browser {
  private readonly cookies = new Map<string, string>();
  userId = -1;
  /** Further headers of every call. Every browser has an address of its own, so that limits per address are met on purpose only. */
  readonly headers: Record<string, string> = {
    'sec-fetch-site': 'same-origin',
    'x-forwarded-for': `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::1`,
  };

  constructor(readonly baseUrl: string) {}

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
        'New-Api-User': String(this.userId),
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = cookie.split(';');
      const at = pair.indexOf('=');
      const isGone = attributes.some((attribute) => /^\s*max-age=0$/i.test(attribute));
      if (isGone) this.cookies.delete(pair.slice(0, at));
      else this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parse(text) };
  }

  get(path: string, headers?: Record<string, string>): Promise<ApiReply> {
    return this.send('GET', path, undefined, headers);
  }

  post(path: string, body: unknown): Promise<ApiReply> {
    return this.send('POST', path, body);
  }

  /** Becomes who an answer says signed in. */
  enter(reply: ApiReply): this {
    if (reply.body.success !== true)
      throw new Error(`not signed in: ${reply.status} ${JSON.stringify(reply.body)}`);
    this.userId = (reply.body.data as { id: number }).id;
    return this;
  }

  async signIn(username: string, password = 'password-of-a-test'): Promise<this> {
    return this.enter(await this.post('/api/user/login', { username, password }));
  }

  /** The same cookies in a second window. */
  copy(): Browser {
    return this.copyTo(this.baseUrl);
  }

  /** The same cookies at another instance behind the same name. */
  copyTo(baseUrl: string): Browser {
    const other = new Browser(baseUrl);
    for (const [name, value] of this.cookies) other.cookies.set(name, value);
    other.userId = this.userId;
    return other;
  }

  /** @returns `data`. Fails: throws with the answer when it is not a success. */
  async expectSuccess<T>(method: string, path: string, body?: unknown): Promise<T> {
    const reply = await this.send(method, path, body);
    if (reply.status !== 200 || reply.body.success !== true)
      throw new Error(`${method} ${path} answered ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body.data as T;
  }
}

function parse(text: string): ApiReply['body'] {
  try {
    return JSON.parse(text) as ApiReply['body'];
  } catch {
    return { text };
  }
}
