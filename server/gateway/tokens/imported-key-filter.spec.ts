import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ImportedKeyFilter } from './imported-key-filter.js';

const digestOf = (key: string): string => `digest of ${key}`;
const hashed = (sha256: string): string => `sha256:${sha256}`;
const LITELLM = 'sk-gHo4AYf_DY9TatX8MhB32g';

const filter = new ImportedKeyFilter({
  tokens: [
    { digest: digestOf('abcdefghijklmnop'), importId: 1 },
    { digest: digestOf('by-hand-7'), importId: 1 },
    { digest: digestOf(hashed(createHash('sha256').update(LITELLM).digest('hex'))), importId: 2 },
  ],
  channels: [{ importId: 1, from: '7', to: 70 }],
});
const find = (text: string) => filter.find(text, digestOf, hashed);

describe('ImportedKeyFilter', () => {
  it.each(['abcdefghijklmnop', 'sk-abcdefghijklmnop', 'sk-by-hand-7', LITELLM])('finds %s', (text) => {
    expect(find(text)).toMatchObject({ channelId: null, missingChannel: null });
  });

  it('reads a channel of the old installation by the table of the import', () => {
    expect(find('sk-abcdefghijklmnop-7')).toMatchObject({ channelId: 70, missingChannel: null });
    expect(find('sk-abcdefghijklmnop-8')).toMatchObject({ channelId: null, missingChannel: 8 });
  });

  it.each([
    '',
    'sk-',
    'sk-abcdefghijklmnoq',
    'sk-sk-abcdefghijklmnop',
    LITELLM.slice(3),
    'ab\ncd',
    'x'.repeat(200),
  ])('finds nothing for %j', (text) => {
    expect(find(text)).toBeNull();
  });

  it('computes no digest where nothing was imported', () => {
    const never = (): string => {
      throw new Error('a digest was computed');
    };
    expect(new ImportedKeyFilter().find('sk-abcdefghijklmnop', never, never)).toBeNull();
  });
});
