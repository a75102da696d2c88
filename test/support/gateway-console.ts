import { ApiClient, sessionCookieOf } from './api-client.ts';

/** The console API of a running gateway, as a root account uses it over HTTP. */
export class GatewayConsole {
  readonly url: string;
  private readonly client: ApiClient;

  constructor(url: string) {
    this.url = url;
    this.client = new ApiClient(url);
    Object.assign(this.client.headers, { 'new-api-user': '-1', 'accept-language': 'en' });
  }

  /** Sets a fresh gateway up and signs in. */
  async setUp(): Promise<void> {
    const account = { username: 'root', password: 'correct horse battery' };
    await this.send('POST', '/api/setup', {
      ...account,
      confirmPassword: account.password,
      SelfUseModeEnabled: false,
      DemoSiteEnabled: false,
    });
    await this.signIn(account.username, account.password);
  }

  async signIn(username = 'root', password = 'correct horse battery'): Promise<void> {
    const reply = await this.client.post('/api/user/login', { username, password });
    if (reply.body.success !== true) throw new Error(`sign-in: ${JSON.stringify(reply.body)}`);
    this.client.headers['cookie'] = sessionCookieOf(reply);
    this.client.headers['new-api-user'] = String((reply.body.data as { id: number }).id);
  }

  /** The `data` of a console answer. Fails: throws with the message of a refusal. */
  async send<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.sendRaw<{ success: boolean; message?: string; data: T }>(method, path, body);
    if (!answer.success) throw new Error(`${method} ${path}: ${answer.message ?? JSON.stringify(answer)}`);
    return answer.data;
  }

  /** The whole answer, refusals included. */
  async sendRaw<T>(method: string, path: string, body?: unknown): Promise<T> {
    return (await this.client.send(method, path, body)).body as T;
  }

  async setOptions(options: Readonly<Record<string, unknown>>): Promise<void> {
    for (const [key, value] of Object.entries(options)) {
      await this.send('PUT', '/api/option/', {
        key,
        value: typeof value === 'object' ? JSON.stringify(value) : value,
      });
    }
  }

  /** @returns the id of the new channel */
  async addChannel(
    channel: { base_url: string; models: readonly string[] } & Record<string, unknown>,
  ): Promise<number> {
    const { models, ...fields } = channel;
    const name = `channel ${Math.random().toString(36).slice(2)}`;
    await this.send('POST', '/api/channel/', {
      type: 1,
      name,
      key: 'upstream-key',
      group: 'default',
      ...fields,
      models: models.join(','),
    });
    const wanted = typeof fields['name'] === 'string' ? fields['name'] : name;
    const list = await this.send<{ id: number; name: string }[]>(
      'GET',
      '/api/channel/?p=0&page_size=100&id_sort=true',
    );
    const found = list.find((one) => one.name === wanted);
    if (found === undefined) throw new Error(`the new channel ${wanted} is not in the list`);
    return found.id;
  }

  /** @returns id and key (with prefix) of the new token */
  async addToken(token: Record<string, unknown> = {}): Promise<{ id: number; key: string }> {
    const name = `t${Math.random().toString(36).slice(2)}`;
    await this.send('POST', '/api/token/', {
      name,
      expired_time: -1,
      remain_quota: 0,
      unlimited_quota: true,
      model_limits_enabled: false,
      model_limits: '',
      allow_ips: '',
      group: '',
      ...token,
    });
    const list = await this.send<{ id: number; name: string; key: string }[]>(
      'GET',
      '/api/token/?p=0&size=100',
    );
    const found = list.find((one) => one.name === (token['name'] ?? name));
    if (found === undefined) throw new Error(`the new token is not in the list`);
    return { id: found.id, key: `sk-${found.key}` };
  }

  /** Another account with exactly so much quota, signed in. For administrators. */
  async addUser(username: string, quota: number): Promise<GatewayConsole> {
    const password = 'a long enough password';
    await this.send('POST', '/api/user/', { username, password, display_name: username });
    const { items } = await this.send<{ items: { id: number; username: string }[] }>(
      'GET',
      `/api/user/search?keyword=${username}&p=1&page_size=10`,
    );
    const user = items.find((one) => one.username === username);
    if (user === undefined) throw new Error(`no user ${username}`);
    await this.send('PUT', '/api/user/', { ...user, display_name: username, quota });
    const own = new GatewayConsole(this.url);
    await own.signIn(username, password);
    return own;
  }

  /** Balance of the signed-in account. */
  async balance(): Promise<number> {
    return (await this.send<{ quota: number }>('GET', '/api/user/self')).quota;
  }

  /** Waits for what is written in the background; `isTrue` looks at a fresh answer every time. */
  async waitFor<T>(read: () => Promise<T>, isTrue: (value: T) => boolean, timeoutMs = 10_000): Promise<T> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const value = await read();
      if (isTrue(value)) return value;
      if (performance.now() > deadline)
        throw new Error(`not reached in ${timeoutMs} ms, last seen: ${JSON.stringify(value)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /**
   * For answers that are looked at while they come.
   * @param headers  over those a console sends
   */
  fetch(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...this.client.headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  }
}

/** Prices of the failure catalogue: ratio 1, completion ratio 2, one per call, one free. */
export const FX_PRICES = (models: readonly string[]): Readonly<Record<string, unknown>> => ({
  ModelRatio: Object.fromEntries(models.map((model) => [model, model === 'fx-free' ? 0 : 1])),
  CompletionRatio: Object.fromEntries(models.map((model) => [model, 2])),
  ModelPrice: { 'fx-price': 0.002 },
});

/** For what must be there: `list.at(0) ?? missing()`. */
export function missing(): never {
  throw new Error('nothing was found');
}
