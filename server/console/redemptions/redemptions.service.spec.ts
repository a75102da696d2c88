import { describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { codeOf } from '../../../test/support/code-of.js';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { anActor } from '../../../test/support/people.js';
import { newRedemption } from '../../../test/support/stored-rows.js';
import type { AuditLog } from '../../base/audit/audit-log.js';
import type { AdministratorQuota } from '../../base/users/administrator-quota.js';
import { CodeActs } from './code-acts.js';
import type { RedemptionEdit } from './dto/redemption.dto.js';
import type { RedemptionKeys } from './redemption-keys.js';
import { REDEMPTION_STATUS } from './redemption.codes.js';
import type { RedemptionEntity } from './redemption.entity.js';
import type { RedemptionsRepository } from './redemptions.repository.js';
import { RedemptionsService } from './redemptions.service.js';

const NOW = 1_700_000_000;
const { unused, disabled, used } = REDEMPTION_STATUS;

/** @param meanwhile  the code is redeemed between reading and changing */
function service(row: Partial<RedemptionEntity> | null = {}, { meanwhile = false } = {}) {
  const done: unknown[] = [];
  const code =
    row === null
      ? null
      : ({
          id: 3,
          status: unused,
          ...newRedemption({ userId: 7, quota: 5, name: 'gift' }),
          ...row,
        } as RedemptionEntity);
  const repository = {
    find: async () => code,
    lock: async () => code,
    insertMany: async (_manager: unknown, rows: readonly object[]) => void done.push(['inserted', rows]),
    change: async (_manager: unknown, _id: number, from: readonly number[], changes: object) => {
      done.push(['changed', from, changes]);
      return !meanwhile;
    },
    softDelete: async () => code !== null,
    softDeleteInvalid: async () => ({ count: 4, ids: [3] }),
    addEditor: async (_manager: unknown, codeId: number, userId: number) =>
      void done.push(['editor', codeId, userId]),
  } as unknown as RedemptionsRepository;
  const audit = {
    record: async (_manager: unknown, { action, detail }: { action: string; detail?: unknown }) =>
      void done.push([action, detail]),
  } as unknown as AuditLog;
  const allowance = { assertAtOnce: () => undefined, count: async () => undefined };
  const codes = new RedemptionsService(
    { transaction: (work: (manager: unknown) => unknown) => work({}) } as unknown as DataSource,
    repository,
    {
      make: () => `code-${Math.random()}`,
      digest: (text: string) => `digest of ${text}`,
      seal: () => 'sealed',
      show: () => 'shown',
    } as unknown as RedemptionKeys,
    new CodeActs(allowance as unknown as AdministratorQuota, repository, audit),
    new FakeClock(NOW * 1_000),
  );
  const edit = (changes: Partial<RedemptionEdit>) =>
    codeOf(codes.edit(anActor(), { id: 3, ...changes } as RedemptionEdit));
  return { codes, done, edit };
}

describe('RedemptionsService', () => {
  it('makes distinct codes of their creator, and records their number and value', async () => {
    const { codes, done } = service();
    const made = await codes.create(anActor(), { name: ' gift ', quota: 5, count: 3, expired_time: 0 });
    expect(new Set(made).size).toBe(3);
    const [[, rows], recorded] = done as [[string, readonly object[]], unknown];
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatchObject({
      userId: 7,
      keyDigest: `digest of ${made[0]}`,
      keyEncrypted: 'sealed',
      name: 'gift',
      quota: 5,
    });
    expect(recorded).toEqual(['redemption.create', { name: 'gift', quota: 5, count: 3, expired_time: 0 }]);
  });

  it.each<[Partial<RedemptionEdit>, unknown]>([
    [{ quota: 9 }, { quota: { before: 5, now: 9 } }],
    [{ name: 'gift', quota: 9 }, { quota: { before: 5, now: 9 } }],
  ])('changes an unused code by %j, and records what became another', async (changes, detail) => {
    const { done, edit } = service();
    expect(await edit(changes)).toBe('done');
    expect(done).toEqual([
      ['changed', [unused], changes],
      ['redemption.edit', detail],
    ]);
  });

  it('keeps an expiry that passed and is sent back as it was, and takes no new one that has', async () => {
    const kept = service({ expiredTime: NOW - 5 });
    expect(await kept.edit({ expired_time: NOW - 5 })).toBe('done');
    expect(kept.done).toEqual([]);
    expect(await service().edit({ expired_time: NOW - 5 })).toBe('redemption_expiry_past');
  });

  it.each([
    [{ status: used }, 'redemption_not_unused'],
    [{ status: disabled }, 'redemption_not_unused'],
    [null, 'not_found'],
  ])('changes nothing of a code that is %j', async (row, code) => {
    const { done, edit } = service(row);
    expect(await edit({ quota: 9 })).toBe(code);
    expect(done).toEqual([]);
  });

  it('records nothing of a code that was redeemed meanwhile', async () => {
    const { done, edit } = service({}, { meanwhile: true });
    expect(await edit({ quota: 9 })).toBe('redemption_used');
    expect(done).toHaveLength(1);
  });

  it.each<[number, number | undefined, string, string | undefined]>([
    [unused, disabled, 'done', 'redemption.disable'],
    [disabled, unused, 'done', 'redemption.enable'],
    [disabled, disabled, 'done', undefined],
    [used, disabled, 'redemption_used', undefined],
    [unused, used, 'invalid_input', undefined],
    [unused, undefined, 'invalid_input', undefined],
  ])('turns a code of status %s into %s: %s', async (before, wanted, code, act) => {
    const { codes, done } = service({ status: before });
    expect(await codeOf(codes.changeStatus(anActor(), 3, wanted))).toBe(code);
    expect((done[1] as readonly unknown[] | undefined)?.[0]).toBe(act);
  });

  it('records deleted codes, and no missing ones', async () => {
    const { codes, done } = service();
    await codes.remove(anActor(), 3);
    await codes.removeInvalid(anActor());
    expect(done).toEqual([
      ['redemption.delete', undefined],
      ['redemption.delete_invalid', { count: 4 }],
    ]);
    const gone = service(null);
    expect(await codeOf(gone.codes.remove(anActor(), 3))).toBe('not_found');
    expect(gone.done).toEqual([]);
  });
});
