import { describe, expect, it } from '@jest/globals';
import type { Proof } from '../../../model/content.js';
import { carryProof, isProofOfNothing, readCarriedProof } from './carried-proof.js';

const FAMILIES = ['anthropic', 'google', 'openai'] as const;
const DATA = 'AQ+/8w==';

describe('a proof in the field of another family', () => {
  const cases = FAMILIES.flatMap((by) =>
    FAMILIES.filter((home) => home !== by).map((home) => ({ by, home })),
  );

  it.each(cases)('brings that of $by back from the field of $home', ({ by, home }) => {
    const proof: Proof = { by, data: DATA, ...(by === 'openai' ? { id: 'rs_#1' } : {}) };
    expect(readCarriedProof(carryProof(proof, home), home).proof).toEqual(proof);
  });

  it.each(cases)('knows that of $by when it came in the form of before ($home)', ({ by, home }) => {
    expect(readCarriedProof(`${by}#${DATA}`, home).proof).toEqual({ by, data: DATA });
  });

  it.each(['anthropic', 'openai'] as const)(
    'writes that of %s as bytes in the field that holds bytes',
    (by) => {
      for (const words of [undefined, '', 'Eine Idee – 想法']) {
        const carried = carryProof({ by, data: DATA }, 'google', { words });
        expect(Buffer.from(carried, 'base64').toString('base64')).toBe(carried);
        // Clients written in Python give bytes back in the other alphabet.
        const back = Buffer.from(carried, 'base64').toString('base64url');
        expect(readCarriedProof(back, 'google').proof).toEqual({ by, data: DATA });
      }
    },
  );

  it.each(['google', 'openai'] as const)('takes the words it is good for along to %s', (home) => {
    const words = 'Zuerst "a",\ndann 😀';
    const carried = carryProof({ by: 'anthropic', data: DATA }, home, { words });
    expect(readCarriedProof(carried, home)).toEqual({
      proof: { by: 'anthropic', data: DATA },
      isRedacted: false,
      words,
    });
  });

  it('proves nothing when its words are neither inside nor beside it', () => {
    const old = readCarriedProof('anthropic#sig', 'openai');
    expect(isProofOfNothing(old, '')).toBe(true);
    expect(isProofOfNothing(old, 'words')).toBe(false);
    const hidden = readCarriedProof(
      carryProof({ by: 'anthropic', data: DATA }, 'openai', { isRedacted: true }),
      'openai',
    );
    expect(isProofOfNothing(hidden, '')).toBe(false);
  });

  it('leaves a proof of the field’s own family as it is, in the standard alphabet', () => {
    expect(readCarriedProof('-_8=', 'google').proof).toEqual({ by: 'google', data: '+/8=' });
    expect(readCarriedProof('-_8=', 'anthropic').proof).toEqual({ by: 'anthropic', data: '-_8=' });
  });
});
