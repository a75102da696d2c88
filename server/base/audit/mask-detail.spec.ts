import { describe, expect, it } from '@jest/globals';
import { canonicalJson } from './canonical-json.js';
import { MASK, maskDetail } from './audit-log.js';

describe('maskDetail', () => {
  it('takes the value of every member named like a secret, at any depth', () => {
    const secrets = {
      password: 'a',
      original_password: 'a',
      SMTPToken: 'a',
      TelegramBotToken: 'a',
      webhook_secret: 'a',
      TurnstileSecretKey: 'a',
      key: 'sk-a',
      keys: ['sk-a'],
      access_token: 'a',
      recoveryCodes: ['a'],
      passwordHash: { algorithm: 'a' },
    };
    const masked = maskDetail({ before: secrets, after: [secrets] });
    const expected = Object.fromEntries(Object.keys(secrets).map((name) => [name, MASK]));
    expect(masked).toEqual({ before: expected, after: [expected] });
  });

  it('keeps values about a secret: ids, switches, empty values', () => {
    const harmless = { token_id: 7, key_id: 'k1', has_password: true, password: '', secret: null, name: 'x' };
    expect(maskDetail(harmless)).toEqual(harmless);
  });

  it('leaves a changed limit of tokens', () => {
    const limit = { maxInputTokens: { before: 0, now: 8_000 } };
    expect(maskDetail(limit)).toEqual(limit);
  });

  it('cuts values that are too long or too deep', () => {
    expect(maskDetail('x'.repeat(2_001))).toBe(`${'x'.repeat(2_000)}…`);
    expect(maskDetail(Array.from({ length: 600 }, (_, index) => index))).toHaveLength(500);
    const deep = Array.from({ length: 20 }).reduce<{ in?: object }>((inner) => ({ in: inner }), {});
    expect(JSON.stringify(maskDetail(deep as { in?: { in?: string } }))).toContain('…');
  });
});

describe('canonicalJson', () => {
  it('gives one text for one value, whatever the order of its members', () => {
    const left = { b: 1, a: [{ d: null, c: 'x' }], gone: undefined };
    const right = { a: [{ c: 'x', d: null }], b: 1 };
    expect(canonicalJson(left)).toBe('{"a":[{"c":"x","d":null}],"b":1}');
    expect(canonicalJson(right)).toBe(canonicalJson(left));
  });

  it('writes text that JSON reads back alike', () => {
    const value = { text: 'קו "x" \u0000\n', list: [1, true, null], nested: { z: 1.5 } };
    expect(JSON.parse(canonicalJson(value))).toEqual(value);
  });
});
