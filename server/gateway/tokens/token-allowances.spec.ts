import { describe, expect, it } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import { codeOf } from '../../../test/support/code-of.js';
import { anActor } from '../../../test/support/people.js';
import { tokenRow } from '../../../test/support/stored-rows.js';
import type { Ids } from '../../common/ids.js';
import { type AccountMoney, BalanceTooHighError } from '../../base/billing/ledger/account-money.service.js';
import { TokenAllowances } from './token-allowances.js';

const manager = {} as EntityManager;

function allowances(fails?: Error) {
  const moves: object[] = [];
  const move = (name: string) => async (_manager: unknown, what: object) => {
    if (fails !== undefined) throw fails;
    moves.push({ [name]: what });
  };
  const service = new TokenAllowances(
    {
      grantToken: move('grant'),
      setTokenAllowance: move('set'),
      tokenRemaindersOf: async () => new Map(),
    } as unknown as AccountMoney,
    { callId: () => 'ref' } as Ids,
  );
  const change = (wanted: number, loaded: number | undefined, remainQuota = 100) =>
    service.change(manager, anActor(), tokenRow({ id: 3, remainQuota }), { wanted, loaded });
  return { service, moves, change };
}

describe('TokenAllowances', () => {
  it('grants the first allowance under a name of the token', async () => {
    const { service, moves } = allowances();
    await service.grantFirst(manager, anActor(), { tokenId: 3, amount: 50 });
    expect(moves).toEqual([
      { grant: { tokenId: 3, amount: 50, kind: 'create', ref: 'token:3', actorId: 7 } },
    ]);
  });

  it.each([
    ['more', 150, 120, 30],
    ['less', 100, 120, -20],
    ['much less than calls have left of it', 0, 500, -100],
  ])('moves by what the form changed: %s', async (_, wanted, loaded, amount) => {
    const { moves, change } = allowances();
    await change(wanted, loaded);
    expect(moves).toEqual([{ grant: { tokenId: 3, ref: 'ref', actorId: 7, amount, kind: 'edit' } }]);
  });

  it('moves nothing where the form changed nothing, though calls were charged meanwhile', async () => {
    const { moves, change } = allowances();
    await change(120, 120);
    expect(moves).toEqual([]);
  });

  it('sets the allowance from now on when the form has no earlier value', async () => {
    const { moves, change } = allowances();
    await change(150, undefined);
    expect(moves).toEqual([{ set: { tokenId: 3, ref: 'ref', actorId: 7, remainder: 150 } }]);
  });

  it('refuses too large a value with a message, and hides no other failure', async () => {
    const full = allowances(new BalanceTooHighError());
    expect(await codeOf(full.change(150, undefined))).toBe('balance_too_high');
    expect(await codeOf(full.change(150, 100))).toBe('balance_too_high');
    expect(await codeOf(full.service.grantFirst(manager, anActor(), { tokenId: 3, amount: 1 }))).toBe(
      'balance_too_high',
    );
    expect(await codeOf(allowances(new Error('away')).change(150, 100))).toBe('Error: away');
  });
});
