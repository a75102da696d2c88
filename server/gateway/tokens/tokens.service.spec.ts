import { describe, expect, it } from '@jest/globals';
import { codeOf } from '../../../test/support/code-of.js';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { anActor } from '../../../test/support/people.js';
import { tokenRow } from '../../../test/support/stored-rows.js';
import type { TokenEdit, TokenInput } from './dto/token.dto.js';
import type { TokenAllowances } from './token-allowances.js';
import type { TokenPolicy } from './token-policy.js';
import type { TokenStore } from './token-store.js';
import type { TokenRow, TokensRepository } from './tokens.repository.js';
import { TokensService } from './tokens.service.js';

/** Account 7 has the tokens 1 to `count`, whose keys end in their ids; token 50 belongs to another account. */
function service({ count = 1, row = {} as Partial<TokenRow>, remainder = 100 } = {}) {
  const rows = Array.from({ length: count }, (_, index) => tokenRow({ id: index + 1, userId: 7, ...row }));
  const done: unknown[] = [];
  const find = async (userId: number, id: number) =>
    userId === 7 ? (rows.find((one) => one.id === id) ?? null) : null;
  const tokens = new TokensService(
    {
      change: async (ids: readonly number[], work: (manager: unknown) => Promise<unknown>) => {
        done.push(['announced', ids]);
        return work({});
      },
      create: async (
        token: TokenRow,
        { after }: { after: (manager: unknown, id: number) => Promise<void> },
      ) => {
        done.push(['made', token.userId, token.group]);
        await after({}, 1);
        return 1;
      },
      remove: async ({ id: userId }: { readonly id: number }, ids: readonly number[], nowMs: number) => {
        done.push(['deleted', userId, ids, nowMs]);
        return ids.length;
      },
      keyOf: ({ id }: TokenRow) => `key-${id}`,
    } as unknown as TokenStore,
    {
      find,
      lock: (_manager: unknown, userId: number, id: number) => find(userId, id),
      owned: async (userId: number, ids: readonly number[]) =>
        rows.map(({ id }) => id).filter((id) => userId === 7 && ids.includes(id)),
      update: async (_manager: unknown, { userId, id }: { userId: number; id: number }, columns: unknown) =>
        void done.push(['updated', userId, id, columns]),
      namedBefore: async (
        _userId: number,
        _name: string,
        { beforeId, limit }: { beforeId: number; limit: number },
      ) =>
        rows
          .toReversed()
          .filter(({ id }) => id < beforeId)
          .slice(0, limit),
    } as unknown as TokensRepository,
    {
      remainderOf: async () => remainder,
      remaindersOf: async () => new Map(),
      returnPools: async (userId: number, id: number) => void done.push(['pools back', userId, id]),
      grantFirst: async (
        _manager: unknown,
        _actor: unknown,
        { tokenId: id, amount }: { tokenId: number; amount: number },
      ) => void done.push(['granted', id, amount]),
      change: async (_manager: unknown, _actor: unknown, token: TokenRow, change: unknown) =>
        void done.push(['allowance', token.id, change]),
    } as unknown as TokenAllowances,
    {
      usableGroups: () => new Set(['default', 'vip']),
      admitCreation: async () => undefined,
    } as unknown as TokenPolicy,
    new FakeClock(),
  );
  return { tokens, done };
}
const edit = (changes: Partial<TokenEdit>) => ({ id: 1, ...changes }) as TokenEdit;

describe('TokensService', () => {
  it('makes a token of the actor with its first allowance', async () => {
    const { tokens, done } = service();
    await tokens.create(anActor(), { name: 'laptop', group: 'vip', remain_quota: 5 } as TokenInput);
    expect(done).toEqual([
      ['made', 7, 'vip'],
      ['granted', 1, 5],
    ]);
  });

  it.each<[string, (tokens: TokensService, actor: ReturnType<typeof anActor>) => Promise<unknown>]>([
    ['show', (tokens, actor) => tokens.get(actor, 1)],
    ['change', (tokens, actor) => tokens.update(actor, edit({ name: 'x' }))],
    ['disable', (tokens, actor) => tokens.changeStatus(actor, 1, 2)],
    ['delete', (tokens, actor) => tokens.remove(actor, 1)],
  ])('finds no token of another account to %s', async (_, act) => {
    const { tokens, done } = service();
    expect(await codeOf(act(tokens, anActor({ id: 8 })))).toBe('not_found');
    expect(done).toEqual([]);
    expect(await codeOf(act(tokens, anActor()))).toBe('done');
  });

  it('deletes those of the actor among many, and returns their reservations', async () => {
    const { tokens, done } = service({ count: 2 });
    expect(await tokens.removeMany(anActor(), [2, 50, 1])).toBe(2);
    expect(done).toEqual([
      ['deleted', 7, [1, 2], new FakeClock().nowMs()],
      ['pools back', 7, 1],
      ['pools back', 7, 2],
    ]);
  });

  it('takes its money out of calls before an allowance is changed, and not for a name', async () => {
    const { tokens, done } = service();
    await tokens.update(anActor(), edit({ remain_quota: 9, remain_quota_before: 4 }));
    expect(done).toEqual([
      ['pools back', 7, 1],
      ['announced', [1]],
      ['updated', 7, 1, {}],
      ['allowance', 1, { wanted: 9, loaded: 4 }],
    ]);
    const renamed = service();
    await renamed.tokens.update(anActor(), edit({ name: 'x' }));
    expect(renamed.done).toEqual([
      ['announced', [1]],
      ['updated', 7, 1, { name: 'x' }],
    ]);
  });

  it.each([
    ['a group that is open', 'vip', '', 'done'],
    ['a group that is not', 'secret', '', 'token_group_not_usable'],
    ['the group it has, though that was taken away', 'secret', 'secret', 'done'],
  ])('takes in a form %s', async (_, group, before, code) => {
    const { tokens } = service({ row: { group: before } });
    const got = await codeOf(tokens.update(anActor(), edit({ group })));
    expect(code === 'done' ? got === 'done' : got !== 'done').toBe(true);
  });

  it('enables no token that has expired or has nothing left', async () => {
    expect(
      await codeOf(service({ row: { status: 2, expiredTime: 5 } }).tokens.changeStatus(anActor(), 1, 1)),
    ).toBe('token_still_expired');
    expect(
      await codeOf(service({ row: { status: 2 }, remainder: 0 }).tokens.changeStatus(anActor(), 1, 1)),
    ).toBe('token_still_exhausted');
  });

  it('opens keys until a page is full, and counts one more than it shows', async () => {
    const { tokens } = service({ count: 450 });
    const query = { keyword: '', token: 'key-4', p: 0, size: 10, page_size: 10 } as unknown as Parameters<
      TokensService['search']
    >[1];
    const { items, total } = await tokens.search(anActor(), query);
    expect([items.length, total]).toEqual([10, 11]);
    expect(items.every(({ id }) => String(id).startsWith('4'))).toBe(true);
    const rare = await tokens.search(anActor(), { ...query, token: 'key-25' });
    // 25 and 250 to 259, the first of which begins another step.
    expect(rare.total).toBe(11);
  });
});
