import { describe, expect, it } from '@jest/globals';
import { keepUnknown } from './vendor-options.js';

describe('keepUnknown', () => {
  it('keeps unknown options, null members and odd names included, under the format', () => {
    const source = JSON.parse('{"model":"m","own":null,"__proto__":{"a":1},"constructor":2}') as Record<
      string,
      unknown
    >;
    const kept = keepUnknown('openai-chat', source, new Set(['model']));
    expect(Object.keys(kept ?? {})).toEqual(['openai-chat']);
    expect(JSON.stringify(kept?.['openai-chat'])).toBe('{"own":null,"__proto__":{"a":1},"constructor":2}');
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  });

  it('gives nothing where everything is known', () => {
    expect(keepUnknown('openai-chat', { model: 'm' }, new Set(['model']))).toBeUndefined();
    expect(keepUnknown('openai-chat', {}, new Set())).toBeUndefined();
  });
});
