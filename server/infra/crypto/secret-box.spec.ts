import { describe, expect, it } from '@jest/globals';
import { SecretBox } from './secret-box.js';

const BOX = new SecretBox('s'.repeat(32));
const PLACE = 'channels.key.1';
const SEALED = BOX.seal('channel-key', PLACE, 'sk-秘密');

/** The sealed text with one of its parts replaced. */
function withPart(index: number, change: (part: string) => string): string {
  return SEALED.split('.')
    .map((part, at) => (at === index ? change(part) : part))
    .join('.');
}
const otherFirst = (part: string): string => (part.startsWith('A') ? 'B' : 'A') + part.slice(1);

describe('SecretBox', () => {
  it.each([
    ['of another purpose', () => BOX.open('token-key', PLACE, SEALED)],
    ['of another row', () => BOX.open('channel-key', 'channels.key.2', SEALED)],
    ['of another CRYPTO_SECRET', () => new SecretBox('t'.repeat(32)).open('channel-key', PLACE, SEALED)],
    ['with another nonce', () => BOX.open('channel-key', PLACE, withPart(1, otherFirst))],
    ['with another text', () => BOX.open('channel-key', PLACE, withPart(2, otherFirst))],
    ['with another tag', () => BOX.open('channel-key', PLACE, withPart(3, otherFirst))],
    [
      'with a shortened tag',
      () =>
        BOX.open(
          'channel-key',
          PLACE,
          withPart(3, (tag) => tag.slice(0, 6)),
        ),
    ],
    [
      'with an empty tag',
      () =>
        BOX.open(
          'channel-key',
          PLACE,
          withPart(3, () => ''),
        ),
    ],
    [
      'of another version',
      () =>
        BOX.open(
          'channel-key',
          PLACE,
          withPart(0, () => 'v2'),
        ),
    ],
    ['that is plain text', () => BOX.open('channel-key', PLACE, 'sk-plain')],
    ['that is empty', () => BOX.open('channel-key', PLACE, '')],
  ])('refuses to open a secret %s', (_what, open) => {
    expect(open).toThrow();
  });

  it.each(['', 'sk-秘密 🔑', 'a.b.c.d', 'x'.repeat(100_000)])('opens what it sealed', (text) => {
    expect(BOX.open('option', 'options.value.a', BOX.seal('option', 'options.value.a', text))).toBe(text);
  });

  it('seals the same text differently each time', () => {
    expect(BOX.seal('channel-key', PLACE, 'sk-秘密')).not.toBe(SEALED);
  });

  it('signs under the key of the purpose', () => {
    const signature = BOX.sign('audit', 'text').toString('hex');
    expect(BOX.sign('audit', 'text').toString('hex')).toBe(signature);
    expect(signature).toHaveLength(64);
    expect(BOX.sign('log-cursor', 'text').toString('hex')).not.toBe(signature);
    expect(BOX.sign('audit', 'text ').toString('hex')).not.toBe(signature);
  });
});
