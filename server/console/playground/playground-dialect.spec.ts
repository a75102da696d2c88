import { describe, expect, it } from '@jest/globals';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import { openai } from '../../relay-core/dialects/openai.js';
import { PLAYGROUND_PATH, PLAYGROUND_ROUTE, playgroundDialect } from './playground-dialect.js';

const error = (kind: RelayError['kind']): RelayError =>
  ({ kind, blame: 'gateway', message: 'nobody serves it' }) as RelayError;

describe('playgroundDialect', () => {
  it('asks for no key, and reads none', () => {
    const found = playgroundDialect.findCredential(
      { authorization: 'Bearer sk-somebody-else' },
      'key=sk-another',
    );
    expect(found).toEqual({ ok: true, value: '' });
  });

  it('names a model that nobody serves by its own code, and every other refusal as the relay does', () => {
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

describe('PLAYGROUND_ROUTE', () => {
  it('serves the chat of the relay at an address of its own', () => {
    const chat = openai.routes.find(({ path }) => path === '/v1/chat/completions');
    expect({ ...PLAYGROUND_ROUTE, path: chat?.path }).toMatchObject({ ...chat });
    expect(PLAYGROUND_ROUTE.pattern.test(PLAYGROUND_PATH)).toBe(true);
    for (const path of [`${PLAYGROUND_PATH}/`, `/x${PLAYGROUND_PATH}`, '/pg/chat/completionsx'])
      expect(PLAYGROUND_ROUTE.pattern.test(path)).toBe(false);
  });
});
