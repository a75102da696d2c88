import { describe, expect, it } from '@jest/globals';
import { readCallSignature, writeCallSignature } from './reasoning-details.js';

describe('signatures beside a call', () => {
  it.each(['google', 'vertex'])('reads the one that stands under %s', (name) => {
    const call = { id: 'c', extra_content: { [name]: { thought_signature: 'c2lnbmVk' } } };
    expect(readCallSignature(call)).toEqual({ by: 'google', data: 'c2lnbmVk' });
  });

  it('reads back what it writes, and nothing where there is none', () => {
    const signature = { by: 'google', data: 'c2lnbmVk' } as const;
    expect(readCallSignature(writeCallSignature(signature))).toEqual(signature);
    expect(readCallSignature({ id: 'c', extra_content: { vertex: {} } })).toBeUndefined();
  });
});
