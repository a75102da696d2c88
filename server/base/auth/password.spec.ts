import { describe, expect, it } from '@jest/globals';
import { hash } from '@node-rs/argon2';
import { PasswordHasher } from './password.js';

describe('passwords', () => {
  const hasher = new PasswordHasher();

  it('hashes by argon2id with 64 MiB and 3 passes, salted [AUTH-07]', async () => {
    const [first, second] = await Promise.all([hasher.hash('a password'), hasher.hash('a password')]);
    expect(first).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/);
    expect(first).not.toBe(second);
  });

  it('compares beyond the 72nd byte, with every blank and letter case [AUTH-07]', async () => {
    const password = ` ${'x'.repeat(80)}a `;
    const stored = await hasher.hash(password);
    expect(await hasher.verify(stored, password)).toBe(true);
    for (const other of [password.trim(), password.toUpperCase(), ` ${'x'.repeat(80)}b `]) {
      expect(await hasher.verify(stored, other)).toBe(false);
    }
  });

  it.each([
    ['composed', 'p\u00e4sswort\u00e9'],
    ['decomposed', 'pa\u0308sswort' + 'e\u0301'],
    ['half of each', 'p\u00e4sswort' + 'e\u0301'],
  ])('accepts a password in every Unicode form when it was set %s', async (_form, set) => {
    const stored = await hasher.hash(set);
    for (const typed of [set, set.normalize('NFC'), set.normalize('NFD')])
      expect(await hasher.verify(stored, typed)).toBe(true);
    expect(await hasher.verify(stored, 'passworte')).toBe(false);
  });

  it.each(['NFC', 'NFD'])(
    'accepts a password whose hash was made of the form %s before forms were composed',
    async (form) => {
      const password = 'p\u00e4sswort\u00e9';
      const stored = await hash(password.normalize(form));
      for (const typed of ['NFC', 'NFD'])
        expect(await hasher.verify(stored, password.normalize(typed))).toBe(true);
    },
  );

  it('never fit an account without one', async () => {
    expect(await hasher.verify(null, '')).toBe(false);
    expect(await hasher.verify('', '')).toBe(false);
  });

  it('queues 50 checks and refuses those beyond [AUTH-07]', async () => {
    const busy = new PasswordHasher();
    // The order of waiting does not depend on the cost of a hash.
    Reflect.set(busy, 'cost', { algorithm: 2, memoryCost: 1_024, timeCost: 1, parallelism: 1 });
    const outcomes = await Promise.allSettled(Array.from({ length: 60 }, () => busy.verify(null, 'x')));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    // 4 run, 50 wait.
    expect(refused).toHaveLength(6);
    expect(refused[0]).toMatchObject({ reason: { code: 'server_busy', retryAfterMs: 2_000 } });
    expect(await busy.verify(null, 'x')).toBe(false);
  }, 30_000);
});
