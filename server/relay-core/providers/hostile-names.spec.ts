import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { aRoute } from '../../../test/support/memory-ports.js';
import { aProviderCall } from '../../../test/support/relay-calls.js';
import type { Operation } from '../model/operation.js';
import type { Provider, ProviderOperation } from './provider.js';
import { PROVIDERS } from './registry.js';

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 1_024,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const ACCOUNT = JSON.stringify({ project_id: 'p', client_email: 'a@b.example', private_key: privateKey });
const KEYS: Readonly<Record<string, string>> = {
  bedrock: 'AKIDEXAMPLE|secret-of-aws|us-east-1',
  vertex: ACCOUNT,
};

const HOSTILE = [
  '..',
  '.',
  '../../v1/files',
  'a/../../b',
  '%2e%2e',
  '%2e%2e%2fb',
  'a?key=stolen#x',
  'a\\..\\b',
  'a@evil.example',
  '//evil.example/x',
  'https://evil.example/',
  'a\r\nHost: evil.example',
  'a:generateContent?x=',
  'claude-/../x',
  'arn:aws:bedrock:us-east-1:123456789012:x/../../y',
  '{model}',
  '{region}',
  '$&$1',
];

function callsOf(provider: Provider, model: string) {
  const channelType = provider.channelTypes[0]?.code ?? 0;
  const route = aRoute({
    channelType,
    baseUrl: provider.id === 'vertex' || provider.id === 'bedrock' ? '' : 'https://vendor.example/deep',
    credential: KEYS[provider.id] ?? 'key-of-the-channel',
    upstreamModel: model,
    other: provider.id === 'vertex' ? 'us-central1' : '',
  });
  const operations: readonly Pick<ProviderOperation<Operation>, 'address' | 'headers'>[] = Object.values(
    provider.operations,
  ).flat();
  return operations.map((operation) => ({ operation, call: aProviderCall({ route }) }));
}

/** Addresses a call of a model goes to; undefined = none. */
function addressesOf(provider: Provider, model: string): readonly (URL | undefined)[] {
  return callsOf(provider, model).map(({ operation, call }) => {
    const address = operation.address(call);
    return address.ok ? new URL(address.value) : undefined;
  });
}

const segmentsOf = (url: URL): number => url.pathname.split('/').length;

describe.each(PROVIDERS.map((provider) => [provider.id, provider] as const))(
  '%s [CH-04]',
  (_id, provider) => {
    it.each(HOSTILE)(
      'a model named %j is one piece of a path on the vendor’s host, or goes nowhere',
      (model) => {
        const usual = addressesOf(provider, 'plain');
        for (const [index, address] of addressesOf(provider, model).entries()) {
          const expected = usual[index];
          if (address === undefined || expected === undefined) continue;
          expect(address.origin).toBe(expected.origin);
          expect(segmentsOf(address)).toBe(segmentsOf(expected));
          expect(address.search).toBe(expected.search);
          expect(address.href).not.toMatch(/[\r\n\s\\]/);
        }
      },
    );

    it('nothing a caller names becomes a header [RLY-02]', () => {
      for (const { operation, call } of callsOf(provider, 'a\r\nx-injected: yes')) {
        for (const [name, value] of Object.entries(operation.headers(call))) {
          expect(`${name}: ${value}`).not.toMatch(/[\r\n]|x-injected/);
        }
      }
    });
  },
);
