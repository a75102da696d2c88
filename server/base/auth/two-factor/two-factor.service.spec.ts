import { beforeAll, describe, expect, it } from '@jest/globals';
import { generateSync } from 'otplib';
import type { DataSource } from 'typeorm';
import { codeOf } from '../../../../test/support/code-of.js';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { memoryRateLimiter } from '../../../../test/support/memory-rate-limiter.js';
import type { AuditLog } from '../../audit/audit-log.js';
import { makeSecret } from './one-time-code.js';
import type { TwoFactorRepository } from './two-factor.repository.js';
import { TwoFactorService } from './two-factor.service.js';

const RECOVERY = 'ABCD-EFGH-JKMN';
const owner = { id: 7, role: 1 };
let secret: string;

function service({ isOn = true } = {}) {
  const clock = new FakeClock();
  const acts: string[] = [];
  const rows = { secret: isOn ? secret : null, lastStep: 0, recovery: [RECOVERY] as string[] };
  const factors = new TwoFactorService(
    { transaction: (work: (manager: unknown) => unknown) => work({}) } as unknown as DataSource,
    {
      isEnabled: async () => rows.secret !== null,
      findSecret: async () => rows.secret,
      countRecoveryCodes: async () => rows.recovery.length,
      claimStep: async (_id: number, step: number) => {
        const isNew = step > rows.lastStep;
        if (isNew) rows.lastStep = step;
        return isNew;
      },
      takeRecoveryCode: async (_id: number, code: string) => {
        const isThere = rows.recovery.includes(code);
        rows.recovery = rows.recovery.filter((one) => one !== code);
        return isThere;
      },
      insert: async (_manager: unknown, row: { secret: string; lastStep: number }) => {
        if (rows.secret !== null) throw Object.assign(new Error('duplicate'), { code: '23505' });
        Object.assign(rows, { secret: row.secret, lastStep: row.lastStep });
      },
      replaceRecoveryCodes: async (_manager: unknown, _id: number, codes: string[]) =>
        void (rows.recovery = codes),
      remove: async () => {
        const wasOn = rows.secret !== null;
        rows.secret = null;
        return wasOn;
      },
    } as unknown as TwoFactorRepository,
    memoryRateLimiter(clock),
    {
      record: async (_manager: unknown, { action }: { action: string }) => void acts.push(action),
    } as unknown as AuditLog,
    clock,
  );
  const code = (agoMs = 0) => generateSync({ secret, epoch: Math.floor((clock.nowMs() - agoMs) / 1_000) });
  return { factors, clock, rows, acts, code };
}

describe('TwoFactorService', () => {
  beforeAll(async () => {
    secret = await makeSecret();
  });

  it('takes each code once, and none before one that was used', async () => {
    const { factors, code } = service();
    expect(await factors.spend(7, ` ${code().slice(0, 3)} ${code().slice(3)}`)).toBe('app');
    expect(await codeOf(factors.spend(7, code()))).toBe('two_factor_code_wrong');
    expect(await codeOf(factors.spend(7, code(30_000)))).toBe('two_factor_code_wrong');
  });

  it('takes a recovery code once', async () => {
    const { factors } = service();
    expect(await factors.spend(7, RECOVERY)).toBe('recovery-code');
    expect(await codeOf(factors.spend(7, RECOVERY))).toBe('two_factor_code_wrong');
  });

  it('checks no code after five tries in a quarter of an hour, nor after sixty in a day', async () => {
    const { factors, clock, code } = service();
    const tries = async (): Promise<string[]> => {
      const seen: string[] = [];
      for (let count = 0; count < 6; count += 1) seen.push(await codeOf(factors.spend(7, 'wrong')));
      return seen;
    };
    expect((await tries()).slice(4)).toEqual(['two_factor_code_wrong', 'two_factor_locked']);
    expect(await codeOf(factors.spend(7, code()))).toBe('two_factor_locked');
    expect(await factors.statusOf(7)).toMatchObject({ locked: true });
    for (let quarter = 0; quarter < 11; quarter += 1) {
      clock.advance(15 * 60_000 + 1);
      await tries();
    }
    clock.advance(15 * 60_000 + 1);
    expect(await codeOf(factors.spend(7, code()))).toBe('two_factor_locked');
    expect(await codeOf(factors.spend(8, code()))).toBe('done');
  });

  it('forgets wrong tries after a right code', async () => {
    const { factors, code } = service();
    for (let count = 0; count < 4; count += 1) await codeOf(factors.spend(7, 'wrong'));
    await factors.spend(7, code());
    expect(await codeOf(factors.spend(7, 'wrong'))).toBe('two_factor_code_wrong');
    expect(await codeOf(factors.spend(7, 'wrong'))).toBe('two_factor_code_wrong');
  });

  it('turns codes on by one of the secret, which is used up by that', async () => {
    const { factors, acts, code } = service({ isOn: false });
    expect(await codeOf(factors.spend(7, code()))).toBe('two_factor_off');
    expect(await codeOf(factors.enable(owner, secret, '000000'))).toBe('two_factor_code_wrong');
    expect(await factors.enable(owner, secret, code())).toHaveLength(10);
    expect(await codeOf(factors.spend(7, code()))).toBe('two_factor_code_wrong');
    expect(await codeOf(factors.enable(owner, secret, code()))).toBe('two_factor_on');
    expect(acts).toEqual(['two_factor.enable']);
  });

  it('records whether the owner or an administrator turned codes off', async () => {
    const own = service();
    await own.factors.remove(owner, 7);
    expect(own.acts).toEqual(['two_factor.disable']);
    const other = service();
    await other.factors.remove({ id: 1, role: 100 }, 7);
    expect(other.acts).toEqual(['two_factor.reset']);
    expect(await codeOf(other.factors.remove(owner, 7))).toBe('two_factor_off');
  });
});
