import { describe, expect, it } from '@jest/globals';
import { scanRequest } from './request-fields.js';

const scan = (body: object) =>
  scanRequest(Buffer.from(JSON.stringify({ model: 'cheap', messages: [], ...body })));

describe('one model is asked for, priced and served [RLY-03]', () => {
  it.each([
    ['models', { models: ['dear'] }],
    ['models', { models: 'dear' }],
    ['fallbacks', { fallbacks: [{ model: 'dear' }] }],
    ['fallback_models', { fallback_models: [' dear '] }],
  ])('%s that a gateway behind the upstream would fall back on are refused', (name, body) => {
    expect(scan(body)).toMatchObject({
      ok: false,
      error: { kind: 'invalid-request', param: name, message: expect.stringContaining("'model'") },
    });
  });

  it.each([{ models: null }, { models: [] }, { fallbacks: '' }])('takes %j for nothing', (body) => {
    expect(scan(body).ok).toBe(true);
  });

  it.each(['Models', 'MODELS', 'Fallbacks', 'fallbac\u212as'])('%s is no way around it', (name) => {
    expect(scan({ [name]: ['dear'] }).ok).toBe(false);
  });
});

it('a byte order mark is left out of what is read and sent on', () => {
  const text = JSON.stringify({ model: 'cheap', messages: [] });
  const scanned = scanRequest(Buffer.from(`\ufeff${text}`));
  expect(scanned.ok && scanned.value.bytes.toString()).toBe(text);
  expect(scanRequest(Buffer.from('\ufeff')).ok).toBe(false);
});
