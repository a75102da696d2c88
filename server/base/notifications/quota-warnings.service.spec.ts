import { describe, expect, it } from '@jest/globals';
import type { AccountsService } from '../users/accounts.service.js';
import type { AccountMoney } from '../billing/ledger/account-money.service.js';
import type { OptionsService } from '../options/options.service.js';
import type { Notifier } from './notifier.js';
import { QuotaWarnings } from './quota-warnings.service.js';
import type { QuotaWarningEntity } from './quota-warning.entity.js';
import type { QuotaWarningsRepository } from './quota-warnings.repository.js';

interface Situation {
  readonly balance: number;
  /** At which balance the account was warned. */
  readonly warnedAt?: number;
  readonly income?: number;
  readonly setting?: string;
  /** Another instance was faster. */
  readonly isOurs?: boolean;
}

async function judge({
  balance,
  warnedAt,
  income = 0,
  setting = '',
  isOurs = true,
}: Situation): Promise<string[]> {
  const done: string[] = [];
  const write = (name: string) => async () => {
    done.push(name);
    return isOurs;
  };
  const warned = { userId: 7, balance: warnedAt, warnedAtMs: 1 } as QuotaWarningEntity;
  const warnings = new QuotaWarnings(
    {
      balancesOf: async () => new Map([[7, balance]]),
      incomeSince: async () => income,
    } as unknown as AccountMoney,
    { listRecipients: async () => [{ id: 7, setting }] } as unknown as AccountsService,
    { values: () => ({ QuotaRemindThreshold: 1_000 }) } as unknown as OptionsService,
    { notify: async () => void done.push('told') } as unknown as Notifier,
    {
      listOf: async () => new Map(warnedAt === undefined ? [] : [[7, warned]]),
      insert: write('noted'),
      renew: write('noted again'),
      delete: write('forgotten'),
    } as unknown as QuotaWarningsRepository,
  );
  await warnings.check([7]);
  return done;
}

describe('QuotaWarnings', () => {
  it.each<[string, Situation, readonly string[]]>([
    ['fell below', { balance: 999 }, ['noted', 'told']],
    ['is at the threshold', { balance: 1_000 }, []],
    ['is below and was told of', { balance: 500, warnedAt: 900 }, []],
    ['came above again', { balance: 1_000, warnedAt: 900 }, ['forgotten']],
    ['was above between two looks', { balance: 500, warnedAt: 900, income: 100 }, ['noted again', 'told']],
    ['was not quite above between two looks', { balance: 500, warnedAt: 900, income: 99 }, []],
    ['fell below, and another instance tells', { balance: 999, isOurs: false }, ['noted']],
    ['is of who wants no warnings', { balance: -5, setting: '{"quota_warning_threshold":0}' }, []],
    [
      'fell below the own threshold',
      { balance: 4_999, setting: '{"quota_warning_threshold":5000}' },
      ['noted', 'told'],
    ],
  ])('judges a balance that %s', async (_, situation, acts) => {
    expect(await judge(situation)).toEqual(acts);
  });
});
