import { describe, expect, it } from '@jest/globals';
import { codeOf } from '../../../test/support/code-of.js';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { anActor } from '../../../test/support/people.js';
import { tokenRow } from '../../../test/support/stored-rows.js';
import type { RateLimiter } from '../../infra/rate-limit/rate-limiter.js';
import type { AdministeredTokensRepository, OwnedTokenRow } from './administered-tokens.repository.js';
import { AdministeredTokens, presentAdministered } from './administered-tokens.service.js';
import type { AdministeredTokenQuery } from './dto/administered-token.dto.js';
import type { TokenAllowances } from './token-allowances.js';
import type { TokenKeys } from './token-keys.js';
import { makeTokenKey } from './token-key.js';

const owned = (changes: Parameters<typeof tokenRow>[0] = {}, role = 1): OwnedTokenRow => {
  const token = tokenRow(changes);
  return { token, owner: { id: token.userId, username: 'ann', role }, lockedBy: '' };
};
const KEY = makeTokenKey();
const admin = anActor({ id: 2, role: 10 });

/** `count` tokens, newest first; the key of each begins with its id and a Z. */
function service({ count = 0, ownerRole = 1 } = {}) {
  const reads: number[] = [];
  const digests: string[] = [];
  const rows = Array.from({ length: count }, (_, index) => owned({ id: count - index }));
  const tokens = new AdministeredTokens(
    {
      before: async (_filter: unknown, beforeId: number, limit: number) => {
        const found = rows.filter(({ token }) => token.id < beforeId).slice(0, limit);
        reads.push(found.length);
        return found;
      },
      findByDigest: async (digest: string) => {
        digests.push(digest);
        return digest === `digest of ${KEY}` ? owned({ id: 1, userId: 7 }, ownerRole) : null;
      },
    } as unknown as AdministeredTokensRepository,
    {
      digest: (key: string) => `digest of ${key}`,
      show: (id: number) => `${id}Z${'x'.repeat(40)}`,
    } as unknown as TokenKeys,
    { remaindersOf: async () => new Map() } as unknown as TokenAllowances,
    { admit: async () => undefined } as unknown as RateLimiter,
    new FakeClock(),
  );
  return { tokens, reads, digests };
}
const query = (prefix: string) =>
  ({ user_id: 0, owner: '', prefix, p: 1, page_size: 10 }) as AdministeredTokenQuery;

describe('AdministeredTokens', () => {
  it('opens keys until a page is full, and counts one more than it shows', async () => {
    const { tokens, reads } = service({ count: 1_200 });
    const page = await tokens.list(admin, query('sk-1'));
    expect([page.items.length, page.total, page.is_complete]).toEqual([10, 11, true]);
    expect(reads).toEqual([500]);
  });

  it('ends a search after 20,000 keys and marks it as incomplete', async () => {
    const { tokens, reads } = service({ count: 25_000 });
    const page = await tokens.list(admin, query('77Z'));
    expect([page.total, page.is_complete, reads.length]).toEqual([0, false, 40]);
  });

  it('compares a pasted key by its digest, and other texts as imported keys', async () => {
    const { tokens, digests } = service();
    for (const text of [KEY, `sk-${KEY}`, ` sk-${KEY}-12 `])
      expect(await tokens.findByKey(admin, text)).toMatchObject({ id: 1, user_id: 7 });
    expect(await codeOf(tokens.findByKey(admin, `${KEY.slice(0, 47)}!`))).toBe('not_found');
    expect(await codeOf(tokens.findByKey(admin, 'sk-'))).toBe('not_found');
    const [own, others] = [digests.slice(0, 3), digests.slice(3)];
    expect(own).toEqual(Array.from({ length: 3 }, () => `digest of ${KEY}`));
    expect(others).toEqual([
      `digest of ${KEY.slice(0, 47)}!`,
      expect.stringMatching(/^digest of sha256:[0-9a-f]{64}$/),
      expect.stringMatching(/^digest of sha256:[0-9a-f]{64}$/),
    ]);
  });

  it('shows no token of an account out of reach', async () => {
    const { tokens } = service({ ownerRole: 100 });
    expect(await codeOf(tokens.findByKey(admin, KEY))).toBe('user_out_of_reach');
  });
});

describe('presentAdministered', () => {
  it('shows the mask of a key, and of a short one nothing', () => {
    const view = presentAdministered(owned(), { key: KEY, remainder: 0, nowSeconds: 10 });
    expect(view.key_mask).toBe(`${KEY.slice(0, 4)}…${KEY.slice(-4)}`);
    expect(JSON.stringify(view)).not.toContain(KEY.slice(4, -4));
    expect(presentAdministered(owned(), { key: 'short', remainder: 0, nowSeconds: 10 }).key_mask).toBe('');
  });

  it.each([
    [{ createdTime: 5, accessedTime: 5 }, 0],
    [{ createdTime: 5, accessedTime: 9 }, 9],
    [{ createdTime: 5, accessedTime: 5, usedQuota: 1 }, 5],
  ])('takes the moment of the last use from %j: %d', (row, at) => {
    expect(presentAdministered(owned(row), { key: KEY, remainder: 0, nowSeconds: 10 }).last_used_time).toBe(
      at,
    );
  });
});
