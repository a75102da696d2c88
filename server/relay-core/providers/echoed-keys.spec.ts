import { describe, expect, it } from '@jest/globals';
import { aRoute } from '../../../test/support/memory-ports.js';
import type { Operation } from '../model/operation.js';
import type { ProviderOperation } from './provider.js';
import { PROVIDERS } from './registry.js';

const PRIVATE = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj';
const ACCOUNT = {
  project_id: 'p-of-the-operator',
  client_email: 'robot@p-of-the-operator.iam.gserviceaccount.com',
  private_key_id: '0123456789abcdef0123',
  private_key: `-----BEGIN PRIVATE KEY-----\n${PRIVATE}\n-----END PRIVATE KEY-----\n`,
};
/** A channel's key as its provider takes it, and what of it is secret. */
const KEYS: Readonly<Record<string, readonly [credential: string, ...secrets: string[]]>> = {
  bedrock: [
    'AKIAIOSFODNN7EXAMPLE|wJalrXUtnFEMIbPxRfiCY|us-east-1',
    'AKIAIOSFODNN7EXAMPLE',
    'wJalrXUtnFEMIbPxRfiCY',
  ],
  vertex: [JSON.stringify(ACCOUNT), PRIVATE, ACCOUNT.client_email, ACCOUNT.private_key_id],
};
const USUAL = ['Zk3_vQ-canary.of/the+channel=', 'Zk3_vQ-canary.of/the+channel='] as const;

const echoes = (secret: string): readonly unknown[] => {
  const sentence = `Incorrect key ${secret} at https://inner.vendor.example:8443/x?key=${encodeURIComponent(secret)}`;
  return [
    { error: { message: sentence, type: secret, code: secret, status: 'INVALID_ARGUMENT' } },
    { type: 'error', error: { type: 'authentication_error', message: sentence } },
    [{ error: { code: 400, message: sentence, details: [{ reason: sentence }] } }],
    { message: sentence, Code: sentence, __type: sentence },
    { errors: [{ message: sentence }], detail: sentence, code: sentence },
    { error: sentence },
    { detail: [{ msg: sentence, loc: [sentence] }] },
  ];
};

describe.each(PROVIDERS.map((provider) => [provider.id, provider] as const))(
  '%s [UP-06]',
  (_id, provider) => {
    const [credential, ...secrets] = KEYS[provider.id] ?? USUAL;
    const channelType = provider.channelTypes[0]?.code ?? 0;
    const route = aRoute({ channelType, credential, baseUrl: 'https://inner.vendor.example:8443' });
    const operations: readonly Pick<ProviderOperation<Operation>, 'readError' | 'readErrorDocument'>[] =
      Object.values(provider.operations).flat();

    it('shows neither its key nor its host to callers, whatever the upstream echoes', () => {
      for (const secret of [...secrets, credential]) {
        for (const document of echoes(secret)) {
          for (const operation of operations) {
            const shown = [400, 401, 403, 404, 429, 500].map((status) =>
              operation.readError(
                { status, headers: {}, body: Buffer.from(JSON.stringify(document)) },
                route,
              ),
            );
            for (const error of [...shown, operation.readErrorDocument(document, route)]) {
              const { message } = error;
              for (const hidden of secrets) expect(message).not.toContain(hidden);
              expect(message).not.toContain('inner.vendor.example');
              expect(JSON.stringify('vendorCode' in error ? error.vendorCode : null)).not.toContain(
                secrets[0],
              );
              expect(JSON.stringify('vendorType' in error ? error.vendorType : null)).not.toContain(
                secrets[0],
              );
            }
          }
        }
      }
    });
  },
);
