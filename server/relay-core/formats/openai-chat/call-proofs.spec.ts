import { describe, expect, it } from '@jest/globals';
import { readCallProof, writeCallProof } from './reasoning-details.js';

describe('proofs beside a call', () => {
  it.each(['google', 'vertex'])('reads the one that stands under %s', (name) => {
    const call = { id: 'c', extra_content: { [name]: { thought_signature: 'c2lnbmVk' } } };
    expect(readCallProof(call)).toEqual({ by: 'google', data: 'c2lnbmVk' });
  });

  it('reads back what it writes, and nothing where there is none', () => {
    const proof = { by: 'google', data: 'c2lnbmVk' } as const;
    expect(readCallProof(writeCallProof(proof))).toEqual(proof);
    expect(readCallProof({ id: 'c', extra_content: { vertex: {} } })).toBeUndefined();
  });
});
