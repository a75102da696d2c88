import { describe, expect, it } from '@jest/globals';
import { camelled, camelFields, camelName } from './proto-names.js';

describe('camelMembers', () => {
  it('gives an object’s own members their first spelling, and touches nothing deeper', () => {
    const inside = { max_tokens: 1 };
    expect(camelFields({ function_call: inside, ok: 1 })).toEqual({ functionCall: inside, ok: 1 });
  });

  it('lets the first spelling win where both are there', () => {
    expect(camelFields({ max_output_tokens: 1, maxOutputTokens: 2 })).toEqual({ maxOutputTokens: 2 });
  });

  it('gives the same object when nothing changes', () => {
    const document = { maxOutputTokens: 2 };
    expect(camelFields(document)).toBe(document);
  });

  it('does not change the object it is given', () => {
    const document = Object.freeze({ top_p: 1 });
    expect(camelFields(document)).toEqual({ topP: 1 });
    expect(document).toEqual({ top_p: 1 });
  });
});

describe('camelled and camelName', () => {
  it('passes what is no object', () => {
    expect([camelled('top_p'), camelled(null), camelled([{ top_p: 1 }])]).toEqual([
      'top_p',
      null,
      [{ top_p: 1 }],
    ]);
  });

  it.each([
    ['max_output_tokens', 'maxOutputTokens'],
    ['sha_256', 'sha256'],
    ['plain', 'plain'],
    ['trailing_', 'trailing_'],
  ])('writes %s as %s', (name, camel) => {
    expect(camelName(name)).toBe(camel);
  });
});
