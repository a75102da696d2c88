import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { GatewayConsole } from '../support/gateway-console.js';
import { GatewayProcess } from '../support/gateway-process.js';
import { ScriptedVendors, wordsOf } from './scripted-vendors.js';

const HOUR_MS = 3_600_000;
const DAYS = 7;
const DOLLAR = 500_000;
const MAIN_KEY = 'key-of-the-main-account';

const MODELS = {
  openai: ['gpt-5', 'gpt-5-mini', 'gpt-4o'],
  anthropic: ['claude-sonnet-4-5', 'claude-haiku-4-5'],
  gemini: ['gemini-2.5-pro', 'gemini-2.5-flash'],
  deepSeek: ['deepseek-chat'],
} as const;

/** Accounts with their models, daily calls and sizes. */
const HABITS = [
  {
    token: 'support assistant',
    model: 'gpt-5-mini',
    callsADay: 9,
    prompt: 4_200,
    cached: 2_816,
    output: 410,
  },
  {
    token: 'code review',
    model: 'claude-sonnet-4-5',
    callsADay: 6,
    prompt: 21_000,
    cached: 14_300,
    output: 1_650,
  },
  {
    token: 'document search',
    model: 'gemini-2.5-flash',
    callsADay: 7,
    prompt: 9_800,
    cached: 0,
    output: 520,
  },
  { token: 'translations', model: 'deepseek-chat', callsADay: 5, prompt: 2_400, cached: 0, output: 1_900 },
  { token: 'research', model: 'gpt-5', callsADay: 3, prompt: 16_500, cached: 6_144, output: 2_700 },
  { token: 'research', model: 'gemini-2.5-pro', callsADay: 2, prompt: 32_000, cached: 0, output: 3_100 },
] as const;

/** A gateway as it is after a week of work: channels of several vendors, accounts, tokens, calls, orders, codes. */
export interface FurnishedGateway {
  readonly url: string;
  /** Request id of a call worth explaining. */
  readonly explained: string;
  stop(): Promise<void>;
}

export async function furnishGateway(): Promise<FurnishedGateway> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-screenshots-'));
  const clock = join(folder, 'clock');
  const setClock = (offsetMs: number): void => writeFileSync(clock, String(Math.round(offsetMs)));
  setClock(-DAYS * 24 * HOUR_MS);
  const vendors = await ScriptedVendors.start();
  const preload = pathToFileURL(join(import.meta.dirname, 'shifted-clock.mjs')).href;
  const gateway = await GatewayProcess.start({
    env: { NODE_OPTIONS: `--import ${preload}`, SHIFTED_CLOCK: clock, ALLOWED_PRIVATE_HOSTS: '127.0.0.1' },
  });
  const root = new GatewayConsole(gateway.url);
  await root.setUp();
  const keys = await furnish(root, vendors.url);
  const explained = await liveAWeek({ gateway, vendors, keys, setClock });
  setClock(0);
  await root.signIn();
  await root.waitFor(
    () => root.send<{ total: number }>('GET', '/api/log/?p=1&page_size=10&type=2'),
    ({ total }) => total >= DAYS * HABITS.reduce((sum, { callsADay }) => sum + callsADay, 0),
  );
  return {
    url: gateway.url,
    explained,
    stop: async () => {
      await gateway.stop();
      vendors.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** @returns the key of each token by its name */
async function furnish(root: GatewayConsole, vendorUrl: string): Promise<ReadonlyMap<string, string>> {
  await root.setOptions({
    SystemName: 'Tollgate',
    GroupRatio: { default: 1, team: 0.9, partner: 1.2 },
    UserUsableGroups: { default: 'Everybody', team: 'Our own people' },
    RetryTimes: 2,
    TopUpLink: '',
    Price: 1,
    PayAddress: `${vendorUrl}/pay`,
    EpayId: '1001',
    EpayKey: 'key-of-a-merchant',
    ServerAddress: 'https://gate.example',
    AutomaticDisableChannelEnabled: true,
  });
  const channel = (fields: Record<string, unknown> & { readonly models: readonly string[] }) =>
    root.addChannel({ base_url: vendorUrl, group: 'default,team', ...fields });
  await channel({
    name: 'OpenAI, main account',
    key: MAIN_KEY,
    type: 1,
    models: MODELS.openai,
    priority: 10,
    tag: 'production',
  });
  await channel({
    name: 'OpenAI, second account',
    type: 1,
    models: MODELS.openai,
    priority: 5,
    tag: 'production',
  });
  await channel({ name: 'Anthropic', type: 14, models: MODELS.anthropic, priority: 10, tag: 'production' });
  await channel({ name: 'Gemini', type: 24, models: MODELS.gemini, priority: 10 });
  await channel({ name: 'DeepSeek', type: 43, models: MODELS.deepSeek, priority: 10 });
  const spare = await channel({
    name: 'OpenRouter, spare',
    type: 20,
    models: ['gpt-5', 'claude-sonnet-4-5'],
    priority: 1,
  });
  await root.send('PUT', '/api/channel/', { id: spare, status: 2 });

  const self = await root.send<Record<string, unknown>>('GET', '/api/user/self');
  await root.send('POST', '/api/user/manage', {
    id: self['id'],
    action: 'add_quota',
    mode: 'add',
    value: 40 * DOLLAR,
    reason: 'Opening balance',
  });
  for (const [username, quota] of [
    ['ada', 25 * DOLLAR],
    ['grace', 8 * DOLLAR],
    ['linus', 2 * DOLLAR],
  ] as const)
    await root.addUser(username, quota);
  await root.send('POST', '/api/redemption/', {
    name: 'Workshop',
    quota: 5 * DOLLAR,
    count: 6,
    expired_time: 0,
  });

  const keys = new Map<string, string>();
  for (const name of new Set(HABITS.map(({ token }) => token)))
    keys.set(name, (await root.addToken({ name })).key);
  await root.addToken({ name: 'trial, 5 dollars', unlimited_quota: false, remain_quota: 5 * DOLLAR });
  return keys;
}

interface Week {
  readonly gateway: GatewayProcess;
  readonly vendors: ScriptedVendors;
  readonly keys: ReadonlyMap<string, string>;
  readonly setClock: (offsetMs: number) => void;
}

/** @returns the request id of the last call of the code review */
async function liveAWeek({ gateway, vendors, keys, setClock }: Week): Promise<string> {
  let explained = '';
  const random = seeded(7);
  const calls = HABITS.flatMap((habit) =>
    Array.from({ length: habit.callsADay * DAYS }, (_, index) => ({
      habit,
      // Between eight in the morning and eight in the evening of its day, the last ones an hour ago.
      atMs: -((index % DAYS) * 24 + 1 + random() * 11) * HOUR_MS,
    })),
  ).sort((left, right) => left.atMs - right.atMs);
  for (const [index, { habit, atMs }] of calls.entries()) {
    setClock(atMs);
    const share = 0.6 + random() * 0.8;
    vendors.next.prompt = Math.round(habit.prompt * share);
    vendors.next.cached = Math.round(habit.cached * share);
    vendors.next.output = Math.round(habit.output * (0.5 + random()));
    // The newest calls fill the first page of the log: those take as long as calls do.
    vendors.next.delayMs = index < calls.length - 12 ? 0 : 400 + random() * 2_400;
    vendors.next.refusedKey = index === calls.length - 5 ? MAIN_KEY : undefined;
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.get(habit.token) ?? ''}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: habit.model,
        messages: [{ role: 'user', content: wordsOf(vendors.next.prompt) }],
      }),
    });
    await response.text();
    if (!response.ok) throw new Error(`${habit.model}: ${response.status}`);
    if (habit.token === 'code review') explained = response.headers.get('x-request-id') ?? '';
  }
  return explained;
}

/** The same week in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
