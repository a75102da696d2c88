import { describe, expect, it } from '@jest/globals';
import type { DataSource, EntityManager } from 'typeorm';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { MemorySharedStore } from '../../infra/shared-store/memory-shared-store.js';
import type { AccountMoney } from '../billing/ledger/account-money.service.js';
import { OPTION_FALLBACKS, type OptionValues } from '../options/option-catalogue.js';
import type { OptionsService } from '../options/options.service.js';
import type { LogWriter } from '../logs/log-writer.js';
import { AccountGifts, ROOT_GIFTS } from './account-gifts.js';

const inviter = { id: 1, username: 'bob' };

function gifts(options: Partial<OptionValues> = {}) {
  const clock = new FakeClock();
  const moves: unknown[] = [];
  const lines: unknown[] = [];
  const values = {
    ...OPTION_FALLBACKS,
    QuotaForNewUser: 100,
    QuotaForInvitee: 20,
    QuotaForInviter: 30,
    InviterDailyRewards: 2,
    ...options,
  };
  const service = new AccountGifts(
    {
      credit: async (_manager: unknown, { userId, amount, kind, ref }: Record<string, unknown>) =>
        void moves.push([kind, userId, amount, ref]),
      rewardInviter: async (_manager: unknown, { inviterId, amount }: Record<string, unknown>) =>
        void moves.push(['reward', inviterId, amount]),
    } as unknown as AccountMoney,
    { values: () => values } as unknown as OptionsService,
    {
      write: async ({ userId, quota }: { userId: number; quota: number }) => void lines.push([userId, quota]),
    } as unknown as LogWriter,
    new MemorySharedStore(clock, 'epoch'),
    {} as DataSource,
  );
  const give = async (by: typeof inviter | null) => {
    const decided = await service.decide(by);
    await service.give({} as EntityManager, 7, decided, 0);
    await service.note(7, 'ann', decided);
    return decided;
  };
  return { service, clock, moves, lines, give };
}

describe('AccountGifts', () => {
  it('gives for registering, for using a code and for inviting, and writes a line of each', async () => {
    const { moves, lines, give } = gifts();
    await give(inviter);
    expect(moves).toEqual([
      ['grant_new', 7, 100, '7'],
      ['grant_invitee', 7, 20, '7'],
      ['reward', 1, 30],
    ]);
    expect(lines).toEqual([
      [7, 100],
      [7, 20],
      [1, 30],
    ]);
  });

  it('gives nothing for an unknown invite code', async () => {
    const { moves, lines, give } = gifts();
    await give(null);
    expect(moves).toEqual([['grant_new', 7, 100, '7']]);
    expect(lines).toEqual([[7, 100]]);
  });

  it('counts an inviter beyond the daily rewards without a reward', async () => {
    const { clock, give } = gifts();
    const earned = async () => (await give(inviter)).forInviting;
    expect([await earned(), await earned(), await earned()]).toEqual([30, 30, 0]);
    clock.advance(86_400_001);
    expect(await earned()).toBe(30);
  });

  it('gives every reward without a limit', async () => {
    const { give } = gifts({ InviterDailyRewards: 0 });
    for (let count = 0; count < 5; count += 1) expect((await give(inviter)).forInviting).toBe(30);
  });

  it('books no gift of nothing', async () => {
    const { moves, lines, give } = gifts({ QuotaForNewUser: 0, QuotaForInvitee: 0, QuotaForInviter: 0 });
    await give(inviter);
    expect(moves).toEqual([['reward', 1, 0]]);
    expect(lines).toEqual([]);
  });

  it('sets the first root up under a kind of its own', async () => {
    const { service, moves } = gifts();
    await service.give({} as EntityManager, 1, ROOT_GIFTS, 0);
    expect(moves).toEqual([['setup', 1, ROOT_GIFTS.forAccount, '1']]);
  });
});
