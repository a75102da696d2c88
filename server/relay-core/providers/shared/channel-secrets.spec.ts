import { describe, expect, it } from '@jest/globals';
import { aRoute } from '../../../../test/support/memory-ports.js';
import { secretsOf } from './channel-secrets.js';

describe('secretsOf', () => {
  it.each([
    ['', ['key']],
    ['https://gateway.inner.example:8443/v1', ['key', 'gateway.inner.example']],
    ['not an address', ['key']],
  ])('hides for the base address %j %j', (baseUrl, secrets) => {
    expect(secretsOf(aRoute({ credential: 'key', baseUrl }))).toEqual(secrets);
  });
});
