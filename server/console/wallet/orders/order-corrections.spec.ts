import { describe, expect, it } from '@jest/globals';
import { MemoryOrders } from '../../../../test/support/memory-orders.js';
import { orderRow } from '../../../../test/support/stored-rows.js';
import { ROLE } from '../../../base/access/user.codes.js';
import type { Actor } from '../../../base/access/current-actor.js';
import type { AccountsService } from '../../../base/users/accounts.service.js';
import type { AuditLog } from '../../../base/audit/audit-log.js';
import type { AdministratorQuota } from '../../../base/users/administrator-quota.js';
import { OrderActs } from './order-acts.js';
import { OrderCorrections } from './order-corrections.js';
import type { OrderLog } from './order-log.js';
import type { OrderFulfilment } from './order-fulfilment.js';

const root = { id: 1, role: ROLE.root } as Actor;
const admin = { id: 2, role: ROLE.admin } as Actor;
const owner = { id: 7, role: ROLE.user };

/** Account 7 ordered. */
function desk(...accounts: readonly { readonly id: number; readonly role: number }[]) {
  const done: unknown[] = [];
  const act =
    (name: string) => async (_order: unknown, by: unknown, also: (manager: unknown) => Promise<void>) => {
      done.push([name, by]);
      await also(null);
    };
  const corrections = new OrderCorrections(
    new MemoryOrders(orderRow()).repository,
    { complete: act('complete'), close: act('close') } as unknown as OrderFulfilment,
    { findIdentity: async (id: number) => accounts.find((one) => one.id === id) ?? null } as AccountsService,
    new OrderActs(
      {
        count: async (_manager: unknown, { id }: Actor, amount: number) =>
          void done.push(['counted', id, amount]),
      } as unknown as AdministratorQuota,
      {
        record: async (_manager: unknown, { action, detail }: { action: string; detail: unknown }) =>
          void done.push([action, detail]),
      } as unknown as AuditLog,
    ),
    {
      credited: async ({ userId }: { userId: number }) => void done.push(['logged', userId]),
    } as unknown as OrderLog,
  );
  const complete = (actor: Actor, input: { user_id?: number; reason?: string } = {}) =>
    corrections
      .complete(actor, { trade_no: 'USR7NOABC1', user_id: 0, reason: 'seen at the bank', ...input })
      .then(
        () => 'done',
        (error: { code: string }) => error.code,
      );
  return { done, complete, corrections };
}

describe('OrderCorrections', () => {
  it('credits the owner of the order by hand, and records actor and reason', async () => {
    const { done, complete } = desk(owner);
    expect(await complete(admin)).toBe('done');
    expect(done).toEqual([
      ['complete', { actorId: 2, userId: 7, reason: 'seen at the bank' }],
      ['counted', 2, 5_000_000],
      [
        'order.complete',
        { user_id: 7, quota: 5_000_000, previous_status: 'pending', reason: 'seen at the bank' },
      ],
      ['logged', 7],
    ]);
  });

  it.each([
    ['without a reason', admin, [owner], { reason: ' \u0000 ' }, 'reason_required'],
    ['of an account that is gone', admin, [], {}, 'user_not_found'],
    ['of an account out of reach', admin, [{ id: 7, role: ROLE.admin }], {}, 'user_out_of_reach'],
    [
      'for another account, by an administrator',
      admin,
      [{ id: 9, role: ROLE.user }],
      { user_id: 9 },
      'not_permitted',
    ],
    [
      'for another account while its owner is there',
      root,
      [owner, { id: 9, role: ROLE.user }],
      { user_id: 9 },
      'order_has_owner',
    ],
    ['for another account that is gone', root, [], { user_id: 9 }, 'user_not_found'],
  ])('refuses to complete an order %s', async (_, actor, accounts, input, code) => {
    const { done, complete } = desk(...accounts);
    expect(await complete(actor, input)).toBe(code);
    expect(done).toEqual([]);
  });

  it('lets root credit another account what cannot reach the one that ordered, and records both', async () => {
    const { done, complete } = desk({ id: 9, role: ROLE.user });
    expect(await complete(root, { user_id: 9 })).toBe('done');
    expect(done).toContainEqual(['order.complete', expect.objectContaining({ user_id: 9, ordered_by: 7 })]);
    expect(done).toContainEqual(['logged', 9]);
  });

  it('closes an order whose payment was given back, with its reason', async () => {
    const { done, corrections } = desk(owner);
    await expect(corrections.refund(admin, { trade_no: 'USR7NOABC1', reason: ' ' })).rejects.toMatchObject({
      code: 'reason_required',
    });
    await corrections.refund(admin, { trade_no: 'USR7NOABC1', reason: ' given back ' });
    expect(done).toEqual([
      ['close', { actorId: 2, reason: 'given back' }],
      ['order.refund', { user_id: 7, reason: 'given back' }],
    ]);
  });
});
