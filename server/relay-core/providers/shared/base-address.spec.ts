import { describe, expect, it } from '@jest/globals';
import { aRoute } from '../../../../test/support/memory-ports.js';
import { aProviderCall } from '../../../../test/support/relay-calls.js';
import { hostOf, withoutOwnPath } from './base-address.js';
import type { Provider, ProviderOperation } from '../provider.js';
import { realtimeRequest } from '../realtime.js';
import { PROVIDERS } from '../registry.js';
import { joinAddress } from './upstream-address.js';

const HOST = 'https://h.example/prefix';
const SERVICE_ACCOUNT = JSON.stringify({
  type: 'service_account',
  project_id: 'p-1',
  private_key: 'k',
  client_email: 'a@b.example',
});
const KEYS: Readonly<Record<string, string>> = {
  bedrock: 'AKIAEXAMPLE|secret|us-east-1',
  vertex: SERVICE_ACCOUNT,
};

/** Every address a channel of this vendor calls, by name. */
function addressesOf(provider: Provider, baseUrl: string, other: string): Readonly<Record<string, string>> {
  const route = aRoute({
    channelType: provider.channelTypes[0]?.code ?? 0,
    baseUrl,
    other,
    upstreamModel: 'some-model',
    credential: KEYS[provider.id] ?? 'key',
  });
  const call = aProviderCall({ route });
  const submission = { path: provider.id === 'suno' ? '/suno/submit/music' : '/mj/submit/imagine' };
  const found: Record<string, string> = {};
  for (const [operation, offered] of Object.entries(provider.operations))
    (offered as readonly ProviderOperation<'chat'>[]).forEach((served, index) => {
      const shape = operation === 'submit' ? { ...call.shape, submission } : call.shape;
      const clientFormat =
        operation === 'submit'
          ? `${provider.id === 'suno' ? 'suno' : 'midjourney'}-submit`
          : call.clientFormat;
      const own = { ...call, shape, clientFormat } as typeof call;
      if (served.serves?.(own) === false) return;
      const address = served.address(own);
      found[`${operation} ${index}`] = address.ok ? address.value : address.error.kind;
    });
  const models = provider.modelListAddress(route);
  if (models?.ok === true) found['models'] = models.value;
  return found;
}

const withoutQuery = (address: string): string => address.split('?')[0] ?? '';

const vendors = PROVIDERS.filter(({ id }) => id !== 'custom').map(
  (provider) => [provider.id, provider] as const,
);

describe.each(vendors)('the base address of %s', (id, provider) => {
  const other = id === 'cloudflare' ? 'acc' : '';
  const expected = addressesOf(provider, HOST, other);

  it('takes the whole address of any of its calls', () => {
    expect(Object.keys(expected).length).toBeGreaterThan(0);
    for (const [call, address] of Object.entries(expected))
      expect([call, addressesOf(provider, withoutQuery(address), other)]).toEqual([call, expected]);
  });

  it('takes a slash at its end, or blanks around it', () => {
    expect(addressesOf(provider, ` ${HOST}/ `, other)).toEqual(expected);
  });

  it('takes a host that has the name of a segment', () => {
    for (const host of ['api', 'v1', 'openai', 'models', 'mj', 'suno', 'anthropic', 'messages'])
      expect(addressesOf(provider, `http://${host}`, other)).toEqual(
        Object.fromEntries(
          Object.entries(expected).map(([call, address]) => [call, address.replace(HOST, `http://${host}`)]),
        ),
      );
  });
});

describe('a base address', () => {
  const chat = '/v1/chat/completions';
  it.each([
    ['https://h.example/v1/chat/completions', chat, 'https://h.example/v1/chat/completions'],
    ['https://h.example/v1/messages', '/v1/messages', 'https://h.example/v1/messages'],
    ['https://h.example/v1/messages', chat, 'https://h.example/v1/chat/completions'],
    ['https://h.example/v1/chat/completions', '/v1/embeddings', 'https://h.example/v1/embeddings'],
    ['https://h.example/v1beta/openai', chat, 'https://h.example/v1beta/openai/chat/completions'],
    ['https://h.example/v1beta/openai/', '/v1/embeddings', 'https://h.example/v1beta/openai/embeddings'],
    [
      'https://h.example/v1beta/openai/chat/completions',
      chat,
      'https://h.example/v1beta/openai/chat/completions',
    ],
    [
      'https://h.example/v1beta/models',
      '/v1beta/models/m:generateContent',
      'https://h.example/v1beta/models/m:generateContent',
    ],
    [
      'https://h.example/v1beta/models/x:streamGenerateContent',
      '/v1beta/models/m:generateContent',
      'https://h.example/v1beta/models/m:generateContent',
    ],
    ['https://h.example/openai', chat, 'https://h.example/openai/v1/chat/completions'],
    ['https://h.example/openai/v1', chat, 'https://h.example/openai/v1/chat/completions'],
    [
      'https://h.example/openai/deployments/NAME',
      chat,
      'https://h.example/openai/deployments/NAME/chat/completions',
    ],
    [
      'https://h.example/deployments/NAME/embeddings',
      chat,
      'https://h.example/deployments/NAME/chat/completions',
    ],
    ['https://h.example/inference/chat/completions', chat, 'https://h.example/inference/chat/completions'],
    [
      'https://h.example/inference/chat/completions',
      '/v1/embeddings',
      'https://h.example/inference/embeddings',
    ],
    [
      'https://h.example/api/paas/v4/chat/completions',
      '/api/paas/v4/images/generations',
      'https://h.example/api/paas/v4/images/generations',
    ],
    ['https://h.example/messages', chat, 'https://h.example/messages/v1/chat/completions'],
  ])('%s meets %s once', (base, path, expected) => {
    expect(joinAddress(base, path)).toEqual({ ok: true, value: expected });
  });

  it('keeps its host, whatever the pattern of a vendor’s own paths', () => {
    expect(withoutOwnPath('http://mj/mj/submit', /\/mj(?:\/.*)?$/)).toBe('http://mj');
    expect(withoutOwnPath('http://mj', /\/mj(?:\/.*)?$/)).toBe('http://mj');
  });
});

const azure = PROVIDERS.find(({ id }) => id === 'azure') as Provider;
const AZURE_BASES = [
  '',
  '/',
  '/openai',
  '/openai/',
  '/openai/v1',
  '/openai/v1/chat/completions',
  '/openai/v1/responses',
  '/openai/deployments/some-model',
  '/openai/deployments/some-model/chat/completions',
  '/openai/models',
  '/deployments/some-model',
  '/models',
  '/api/projects/some-project',
];

describe('Azure', () => {
  it.each(AZURE_BASES)('takes a base that ends in %j', (end) => {
    const isNewer = end.includes('/v1');
    const addresses = addressesOf(azure, `https://r.openai.azure.com${end}`, '');
    const before = isNewer ? '/openai/v1/' : '/openai/deployments/some-model/';
    for (const [call, address] of Object.entries(addresses)) {
      const { pathname, searchParams } = new URL(address);
      if (call === 'models') expect(pathname).toBe(isNewer ? '/openai/v1/models' : '/openai/models');
      else if (pathname.endsWith('/responses')) expect(pathname).toBe('/openai/v1/responses');
      else expect([call, pathname.startsWith(before)]).toEqual([call, true]);
      expect(pathname.match(/openai/g)).toHaveLength(1);
      expect(searchParams.has('api-version')).toBe(!isNewer);
    }
  });

  it.each([['v1'], ['preview'], ['latest']])(
    '%s uses /openai/v1 for every operation, on every base',
    (version) => {
      for (const end of AZURE_BASES) {
        const addresses = Object.values(addressesOf(azure, `https://r.openai.azure.com${end}`, version));
        const route = aRoute({
          channelType: 3,
          baseUrl: `https://r.openai.azure.com${end}`,
          other: version,
          upstreamModel: 'some-model',
        });
        const session = realtimeRequest(route, false);
        if (!session.ok) throw new Error(session.error.kind);
        const url = new URL(session.value.url);
        expect([url.pathname, url.searchParams.get('model')]).toEqual(['/openai/v1/realtime', 'some-model']);
        for (const address of addresses) {
          expect(new URL(address).pathname).toMatch(/^\/openai\/v1\/[a-z]/);
          expect(new URL(address).searchParams.get('api-version')).toBe(version === 'v1' ? null : version);
        }
      }
    },
  );

  it('asks the deployment its base names, whatever the model is called', () => {
    const { 'chat 2': chat, 'embed 0': embed } = addressesOf(
      azure,
      'https://r.example/openai/deployments/NAME',
      '',
    );
    expect([chat, embed].map((address) => new URL(address ?? '').pathname)).toEqual([
      '/openai/deployments/NAME/chat/completions',
      '/openai/deployments/NAME/embeddings',
    ]);
  });
});

const google = PROVIDERS.find(({ id }) => id === 'gemini') as Provider;

it.each([
  [''],
  ['/v1beta'],
  ['/v1beta/models'],
  ['/v1beta/openai'],
  ['/v1beta/openai/chat/completions'],
  ['/v1beta/models/m:generateContent'],
])('Gemini takes a base that ends in %j', (end) => {
  const plain = addressesOf(google, 'https://generativelanguage.googleapis.com', '');
  expect(addressesOf(google, `https://generativelanguage.googleapis.com${end}`, '')).toEqual(plain);
});

it.each([
  ['deepseek', '/anthropic'],
  ['moonshot', '/anthropic'],
  ['minimax', '/anthropic'],
  ['zhipu-v4', '/api/anthropic'],
])('%s takes the base of its Messages endpoint', (id, own) => {
  const provider = PROVIDERS.find((one) => one.id === id) as Provider;
  for (const end of [own, `${own}/v1`, `${own}/v1/messages`])
    expect(addressesOf(provider, `${HOST}${end}`, '')).toEqual(addressesOf(provider, HOST, ''));
});

it('reads hosts of more addresses than it keeps', () => {
  const address = (n: number) => `https://host${n}.example/v1`;
  for (let n = 0; n < 2_100; n += 1) expect(hostOf({ baseUrl: address(n) })).toBe(`host${n}.example`);
  expect(hostOf({ baseUrl: address(0) })).toBe('host0.example');
  for (const baseUrl of ['', 'host.example']) {
    expect(hostOf({ baseUrl })).toBeUndefined();
    expect(hostOf({ baseUrl })).toBeUndefined();
  }
});
