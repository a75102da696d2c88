import { describe, expect, it } from '@jest/globals';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import { openai } from '../../relay-core/dialects/openai.js';
import { PLAYGROUND_ROUTES, playgroundDialect } from './playground-dialect.js';

const error = (kind: RelayError['kind']): RelayError =>
  ({ kind, blame: 'gateway', message: 'no channel serves it' }) as RelayError;

describe('playgroundDialect', () => {
  it('requires no key, and reads none', () => {
    const found = playgroundDialect.findCredential(
      { authorization: 'Bearer sk-somebody-else' },
      'key=sk-another',
    );
    expect(found).toEqual({ ok: true, value: '' });
  });

  it('names a model without a channel by its own code, and every other refusal as the relay does', () => {
    const { body } = playgroundDialect.writeError(error('channel-unavailable'), 'call-1');
    expect(JSON.parse(String(body))).toMatchObject({ error: { code: 'get_playground_channel_failed' } });
    expect(String(openai.writeError(error('channel-unavailable'), 'call-1').body)).not.toContain(
      'playground',
    );
    for (const kind of ['invalid-request', 'unavailable', 'forbidden'] as const)
      expect(playgroundDialect.writeError(error(kind), 'call-1')).toEqual(
        openai.writeError(error(kind), 'call-1'),
      );
  });
});

describe('PLAYGROUND_ROUTES', () => {
  it.each([
    ['chat', '/v1/chat/completions', '/pg/chat/completions'],
    ['image', '/v1/images/generations', '/pg/images/generations'],
    ['speech', '/v1/audio/speech', '/pg/audio/speech'],
  ] as const)('serves the %s of the relay at an address of its own', (name, relayPath, path) => {
    const own = PLAYGROUND_ROUTES[name];
    const ofRelay = openai.routes.find((route) => route.path === relayPath);
    expect({ ...own, path: ofRelay?.path }).toMatchObject({ ...ofRelay });
    expect(own.path).toBe(path);
    expect(own.pattern.test(path)).toBe(true);
    for (const other of [`${path}/`, `/x${path}`, `${path}x`]) expect(own.pattern.test(other)).toBe(false);
  });
});
