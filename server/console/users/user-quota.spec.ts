import type { EntityManager } from 'typeorm';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { toQuota } from '../../common/quota.js';
import type { Actor } from '../../base/access/current-actor.js';
import { ROLE } from '../../base/access/user.codes.js';
import {
  type AccountMoney,
  BalanceTooHighError,
  BalanceTooLowError,
} from '../../base/billing/ledger/account-money.service.js';
import { OPTION_FALLBACKS } from '../../base/options/option-catalogue.js';
import type { OptionsService } from '../../base/options/options.service.js';
import { AdministratorQuota } from '../../base/users/administrator-quota.js';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { UserQuota } from './user-quota.js';

type Booking = Parameters<AccountMoney['adjust']>[1];

const ADMIN: Actor = {
  id: 2,
  username: 'eve',
  role: ROLE.admin,
  group: 'default',
  way: 'session',
  sessionDigest: 'digest',
};
const MANAGER = {} as EntityManager;
let balance: number;
let limit: number;
let booked: Booking[];
let fault: Error | undefined;
let counted: unknown[];
let quota: UserQuota;

beforeEach(() => {
  balance = 1_000;
  limit = 0;
  booked = [];
  fault = undefined;
  const refs = new Set<string>();
  const money: Pick<AccountMoney, 'balancesOf' | 'adjust'> = {
    balancesOf: async () => new Map([[7, toQuota(balance)]]),
    adjust: async (_manager, booking) => {
      if (fault !== undefined) throw fault;
      if (refs.has(booking.ref)) return false;
      refs.add(booking.ref);
      booked.push(booking);
      balance += booking.amount;
      return true;
    },
  };
  const options = { values: () => ({ ...OPTION_FALLBACKS, AdministratorAdjustmentLimit: limit }) };
  const allowance = new AdministratorQuota(options as unknown as OptionsService, new FakeClock());
  counted = [];
  allowance.count = async (_manager, actor, amount) => void counted.push([actor.id, amount]);
  quota = new UserQuota(money as AccountMoney, allowance);
});

const adjust = (input: object, actor = ADMIN) =>
  quota.adjust(MANAGER, actor, { id: 7, action: 'add_quota', ...input } as never);

describe('UserQuota', () => {
  it.each([
    ['add', 50, 50],
    ['subtract', 50, -50],
    ['override', 1_200, 200],
    ['override', 0, -1_000],
    ['override', -5, -1_005],
  ])('%s %i books a difference of %i', async (mode, value, amount) => {
    expect(await adjust({ mode, value, reason: ' a gift ' })).toEqual({
      amount,
      reason: 'a gift',
      balance: 1_000 + amount,
    });
    expect(booked).toMatchObject([{ userId: 7, amount, actorId: 2, reason: 'a gift' }]);
  });

  it('keeps spending since the form was shown', async () => {
    const edit = { id: 7, quota: 1_500, loaded_quota: 1_100 } as never;
    expect(await quota.set(MANAGER, ADMIN, edit)).toMatchObject({ amount: 400, balance: 1_400 });
  });

  it('books nothing where nothing changes', async () => {
    expect(await adjust({ mode: 'override', value: 1_000 })).toEqual({ amount: 0, reason: '' });
    expect(booked).toEqual([]);
  });

  it('happens once for one operation id', async () => {
    const wanted = { mode: 'add', value: 50, operation_id: '4a1c9b3e-0000-4000-8000-000000000000' };
    await adjust(wanted);
    expect(await adjust(wanted)).toEqual({ amount: 0, reason: '' });
    expect(balance).toBe(1_050);
    expect(counted).toEqual([[2, 50]]);
  });

  it.each([
    [{ value: 5 }, 'malformed_input'],
    [{ mode: 'add' }, 'malformed_input'],
    [{ mode: 'add', value: 0 }, 'malformed_input'],
    [{ mode: 'subtract', value: -5 }, 'malformed_input'],
    [{ mode: 'override', value: 2 ** 53 + 2_000 }, 'balance_too_high'],
    [{ mode: 'override', value: -(2 ** 53) }, 'balance_too_low'],
  ])('refuses %j: %s', async (input, code) => {
    await expect(adjust(input)).rejects.toMatchObject({ code });
    expect(booked).toEqual([]);
  });

  it('leaves large sums to root, as the option defines them', async () => {
    limit = 100;
    await adjust({ mode: 'add', value: 100 });
    for (const mode of ['add', 'subtract'])
      await expect(adjust({ mode, value: 101 })).rejects.toMatchObject({
        code: 'adjustment_too_large',
        values: { limit: 100 },
      });
    await adjust({ mode: 'add', value: 101 }, { ...ADMIN, role: ROLE.root });
    expect(booked.map(({ amount }) => amount)).toEqual([100, 101]);
  });

  it('names the obstacle: running calls, or the balance itself', async () => {
    fault = new BalanceTooLowError();
    await expect(adjust({ mode: 'subtract', value: 900 })).rejects.toMatchObject({ code: 'balance_in_use' });
    await expect(adjust({ mode: 'subtract', value: 1_001 })).rejects.toMatchObject({
      code: 'balance_too_low',
    });
    fault = new BalanceTooHighError();
    await expect(adjust({ mode: 'add', value: 1 })).rejects.toMatchObject({ code: 'balance_too_high' });
  });
});
