import { describe, expect, it } from '@jest/globals';
import { passkeyNameOf } from './passkey-name.js';

describe('passkeyNameOf', () => {
  it('takes one line of up to 64 characters, without the blanks around it', () => {
    expect(passkeyNameOf('  my phone ')).toBe('my phone');
    expect(passkeyNameOf('🔑'.repeat(64))).toBe('🔑'.repeat(64));
  });

  it.each(['', '   ', 'x'.repeat(65)])('refuses %j', (typed) => {
    expect(() => passkeyNameOf(typed)).toThrow(expect.objectContaining({ code: 'passkey_name_invalid' }));
  });
});
