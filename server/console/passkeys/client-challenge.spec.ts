import { describe, expect, it } from '@jest/globals';
import { challengeOf } from './passkey-ceremonies.js';

const encoded = (text: string): string => Buffer.from(text).toString('base64url');

describe('challengeOf', () => {
  it('reads what a browser sends', () => {
    expect(challengeOf(encoded('{"type":"webauthn.get","challenge":"0123456789abcdef"}'))).toBe(
      '0123456789abcdef',
    );
  });

  it.each([
    ['a short one', encoded('{"challenge":"short"}')],
    ['a long one', encoded(JSON.stringify({ challenge: 'x'.repeat(257) }))],
    ['no text', encoded('{"challenge":12345678901234567890}')],
    ['no JSON', encoded('challenge')],
    ['no base64', '%%%'],
    ['nothing', ''],
  ])('gives null for %s', (_name, clientData) => {
    expect(challengeOf(clientData)).toBeNull();
  });
});
