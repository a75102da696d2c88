import { MODELS } from '../models.mjs';

/** Callers share the load, as they would in earnest. */
const CALLERS = 12;
const QUOTA_EACH = 1_000_000_000_000;
/** Types of channels, by the API format of their upstream. */
const CHANNELS = [
  { number: 1, type: 1, grammar: 'openAi' },
  { number: 2, type: 1, grammar: 'openAi' },
  { number: 3, type: 14, grammar: 'anthropic' },
  { number: 4, type: 24, grammar: 'gemini' },
];
const PASSWORD = 'bench-password-1';

/** A signed-in caller of the console API. Fails with the route and the server's own words. */
class ConsoleClient {
  #base;
  #cookie = '';
  #userId;

  constructor(base) {
    this.#base = base;
  }

  async ask(method, path, body) {
    const headers = {
      origin: this.#base,
      ...(this.#cookie === '' ? {} : { cookie: this.#cookie }),
      ...(this.#userId === undefined ? {} : { 'new-api-user': String(this.#userId) }),
    };
    const request =
      body === undefined
        ? { method, headers }
        : { method, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(`${this.#base}${path}`, request);
    for (const line of response.headers.getSetCookie()) this.#cookie = line.split(';', 1)[0];
    const text = await response.text();
    let envelope;
    try {
      envelope = JSON.parse(text);
    } catch {
      throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`);
    }
    if (envelope.success !== true)
      throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`);
    return envelope.data;
  }

  async signIn(username) {
    const user = await this.ask('POST', '/api/user/login', { username, password: PASSWORD });
    this.#userId = user.id;
  }
}

async function tokenOf(client) {
  await client.ask('POST', '/api/token/', {
    name: 'bench',
    expired_time: -1,
    // A limited token: its own pool is charged beside the user's, the dearer of the two cases.
    remain_quota: QUOTA_EACH,
    unlimited_quota: false,
    model_limits_enabled: false,
    model_limits: '',
    allow_ips: '',
    group: '',
  });
  const page = await client.ask('GET', '/api/token/?size=10');
  const tokens = Array.isArray(page) ? page : page.items;
  return tokens[0].key.replace(/^sk-/, '');
}

/**
 * Sets a fresh instance up over HTTP: root, prices, limits, channels to the mock, callers with a token each.
 * @param {{hasWindows?: boolean}} wish  rate windows are counted for every call
 * @returns {Promise<{key: string}[]>} token keys without prefix
 */
export async function provision(base, mockOrigin, { hasWindows = true } = {}) {
  const root = new ConsoleClient(base);
  await root.ask('POST', '/api/setup', {
    username: 'root',
    password: PASSWORD,
    confirmPassword: PASSWORD,
    SelfUseModeEnabled: false,
    DemoSiteEnabled: false,
  });
  await root.signIn('root');
  const names = Object.keys(MODELS);
  const options = {
    ModelRatio: JSON.stringify(Object.fromEntries(names.map((name) => [name, 1.25]))),
    CompletionRatio: JSON.stringify(Object.fromEntries(names.map((name) => [name, 4]))),
    QuotaForNewUser: String(QUOTA_EACH),
    RetryTimes: '3',
    LogConsumeEnabled: 'true',
    ModelRequestRateLimitEnabled: String(hasWindows),
    ModelRequestRateLimitDurationMinutes: '1',
    ModelRequestRateLimitCount: '100000000',
    ModelRequestRateLimitSuccessCount: '100000000',
  };
  for (const [key, value] of Object.entries(options)) await root.ask('PUT', '/api/option/', { key, value });
  const grammarOf = (name) => MODELS[name].grammar ?? 'openAi';
  for (const { number, type, grammar } of CHANNELS) {
    await root.ask('POST', '/api/channel/', {
      name: `bench ${number}`,
      type,
      key: 'sk-bench-upstream',
      base_url: mockOrigin,
      models: names.filter((name) => grammarOf(name) === grammar).join(','),
      group: 'default',
      groups: ['default'],
      priority: 0,
      weight: 1,
      auto_ban: 0,
    });
  }
  const callers = [];
  for (let index = 0; index < CALLERS; index += 1) {
    const username = `caller${index}`;
    await root.ask('POST', '/api/user/', { username, password: PASSWORD, display_name: username });
    const client = new ConsoleClient(base);
    await client.signIn(username);
    callers.push({ key: await tokenOf(client) });
  }
  return callers;
}
