import { describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { FakeClock } from '../../../test/support/fake-clock.js';
import type { Env } from '../../config/env.js';
import type { ChangeFeed } from '../../infra/events/change-feed.js';
import type { AccountsRepository } from './accounts.repository.js';
import type { DeregisteredAccountsRepository } from './deregistered-accounts.repository.js';
import { DeregisteredAccounts } from './deregistered-accounts.service.js';

describe('DeregisteredAccounts', () => {
  it('keeps an account for the next sweep when its rows elsewhere could not be cleared, and clears the others', async () => {
    const uncleared = [1, 2].map((id) => ({ id, emailFolded: null }));
    const cleared: number[] = [];
    const repository: Partial<DeregisteredAccountsRepository> = {
      listUncleared: async () => uncleared.splice(0),
      listPurged: async () => [],
      clearElsewhere: async (id) => {
        if (id === 1) throw new Error('database is away');
      },
      clearPersonal: async (_manager, id) => void cleared.push(id),
    };
    const accounts = new DeregisteredAccounts(
      {
        transaction: async (work: (manager: object) => Promise<unknown>) => work({}),
      } as unknown as DataSource,
      {} as AccountsRepository,
      repository as DeregisteredAccountsRepository,
      {} as Env,
      new FakeClock(),
      {} as ChangeFeed,
    );
    await expect(accounts.sweep()).rejects.toThrow('account 1');
    expect(cleared).toEqual([2]);
  });
});
