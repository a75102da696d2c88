import { describe, expect, it } from '@jest/globals';
import type { ThoughtSignature } from '../../../model/content.js';
import { writePortableSignature, isOrphanedSignature, readPortableSignature } from './portable-signature.js';

const FAMILIES = ['anthropic', 'google', 'openai'] as const;
const DATA = 'AQ+/8w==';

describe('a signature in the field of another family', () => {
  const cases = FAMILIES.flatMap((by) =>
    FAMILIES.filter((home) => home !== by).map((home) => ({ by, home })),
  );

  it.each(cases)('brings that of $by back from the field of $home', ({ by, home }) => {
    const signature: ThoughtSignature = { by, data: DATA, ...(by === 'openai' ? { id: 'rs_#1' } : {}) };
    expect(readPortableSignature(writePortableSignature(signature, home), home).signature).toEqual(signature);
  });

  it.each(cases)('recognises that of $by when it came in the form of before ($home)', ({ by, home }) => {
    expect(readPortableSignature(`${by}#${DATA}`, home).signature).toEqual({ by, data: DATA });
  });

  it.each(['anthropic', 'openai'] as const)(
    'writes that of %s as bytes in the field that holds bytes',
    (by) => {
      for (const words of [undefined, '', 'Eine Idee – 想法']) {
        const carried = writePortableSignature({ by, data: DATA }, 'google', { words });
        expect(Buffer.from(carried, 'base64').toString('base64')).toBe(carried);
        // Clients written in Python give bytes back in the other alphabet.
        const back = Buffer.from(carried, 'base64').toString('base64url');
        expect(readPortableSignature(back, 'google').signature).toEqual({ by, data: DATA });
      }
    },
  );

  it.each(['google', 'openai'] as const)('takes the words it is good for along to %s', (home) => {
    const words = 'Zuerst "a",\ndann 😀';
    const carried = writePortableSignature({ by: 'anthropic', data: DATA }, home, { words });
    expect(readPortableSignature(carried, home)).toEqual({
      signature: { by: 'anthropic', data: DATA },
      isRedacted: false,
      words,
    });
  });

  it('proves nothing when its words are neither inside nor beside it', () => {
    const old = readPortableSignature('anthropic#sig', 'openai');
    expect(isOrphanedSignature(old, '')).toBe(true);
    expect(isOrphanedSignature(old, 'words')).toBe(false);
    const hidden = readPortableSignature(
      writePortableSignature({ by: 'anthropic', data: DATA }, 'openai', { isRedacted: true }),
      'openai',
    );
    expect(isOrphanedSignature(hidden, '')).toBe(false);
  });

  it('leaves a signature of the field’s own family as it is, in the standard alphabet', () => {
    expect(readPortableSignature('-_8=', 'google').signature).toEqual({ by: 'google', data: '+/8=' });
    expect(readPortableSignature('-_8=', 'anthropic').signature).toEqual({ by: 'anthropic', data: '-_8=' });
  });
});
