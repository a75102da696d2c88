import { beforeEach, describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { memoryRateLimiter } from '../../../test/support/memory-rate-limiter.js';
import { DomainError } from '../../common/errors/domain-error.js';
import type { AuditLog } from '../audit/audit-log.js';
import { countKeyOf, LoginGuard } from './login-guard.js';

const MINUTE_MS = 60_000;
const HOME = '192.0.2.1';
const STRANGER = '198.51.100.7';

let clock: FakeClock;
let guard: LoginGuard;
let noted: unknown[];

beforeEach(() => {
  clock = new FakeClock();
  noted = [];
  const audit: Pick<AuditLog, 'record'> = {
    record: async (_manager, entry) => {
      noted.push(entry);
    },
  };
  guard = new LoginGuard(memoryRateLimiter(clock), audit as AuditLog);
});

const attempt = (ip: string, account = 'ann', apart?: string) => ({
  account,
  ip,
  ...(apart === undefined ? {} : { apart }),
});
/** Result of an attempt with a wrong password: `wrong`, or the seconds to wait. */
async function guess(ip: string, account?: string, apart?: string): Promise<'wrong' | number> {
  try {
    await guard.fail(await guard.admit(attempt(ip, account, apart)), ip);
    return 'wrong';
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'login_too_often') throw error;
    return Number(error.values['seconds']);
  }
}
/** Attempt with the right password; the seconds to wait when it is not admitted. */
async function signIn(ip: string, account?: string): Promise<'in' | number> {
  try {
    await guard.pass(await guard.admit(attempt(ip, account)));
    return 'in';
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return Number(error.values['seconds']);
  }
}
async function guesses(count: number, ipOf: (index: number) => string, account?: string) {
  const answers: ('wrong' | number)[] = [];
  for (let index = 0; index < count; index += 1) answers.push(await guess(ipOf(index), account));
  return answers;
}

describe('LoginGuard', () => {
  it('accepts five wrong passwords, then requires a wait that doubles up to a minute', async () => {
    expect(await guesses(5, () => STRANGER)).toEqual(['wrong', 'wrong', 'wrong', 'wrong', 'wrong']);
    const waits: ('wrong' | number)[] = [];
    for (let turn = 0; turn < 8; turn += 1) {
      expect(await guess(STRANGER)).toBe('wrong');
      const wait = await guess(STRANGER);
      waits.push(wait);
      clock.advance(Number(wait) * 1_000);
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it('forgets failures after fifteen minutes', async () => {
    await guesses(5, () => STRANGER);
    expect(await guess(STRANGER)).toBe('wrong');
    expect(await guess(STRANGER)).toBe(2);
    clock.advance(15 * MINUTE_MS);
    expect(await guesses(5, () => STRANGER)).toEqual(['wrong', 'wrong', 'wrong', 'wrong', 'wrong']);
  });

  it('admits at most twelve guesses a minute that all began before one had failed', async () => {
    const admitted = await Promise.allSettled(
      Array.from({ length: 20 }, () => guard.admit(attempt(STRANGER))),
    );
    // One more is the first attempt of its address, answered like one that was not admitted.
    const heard = admitted.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(heard.filter(({ busyMs }) => busyMs === undefined)).toHaveLength(12);
    expect(heard.filter(({ busyMs }) => busyMs !== undefined)).toHaveLength(1);
  });

  it('counts the addresses of one IPv6 network together, and IPv4 inside IPv6 as IPv4', async () => {
    for (const ip of ['2001:db8:0:1::1', '2001:db8:0:1:ffff::2']) await guess(ip);
    const [first, second] = await Promise.all(
      ['2001:db8:0:1::3', '2001:db8:0:2::3'].map((ip) => guard.admit(attempt(ip))),
    );
    expect(first?.network).toBe('2001:db8:0:1::/64');
    expect(second?.network).toBe('2001:db8:0:2::/64');
    expect((await guard.admit(attempt(`::ffff:${STRANGER}`))).network).toBe(STRANGER);
  });

  it('refuses an address that failed fifty times at whatever accounts', async () => {
    const answers = await guesses(50, () => STRANGER, undefined);
    expect(answers.filter((answer) => answer === 'wrong').length).toBeLessThan(50);
    let failed = answers.filter((answer) => answer === 'wrong').length;
    for (let account = 0; failed < 50; account += 1) {
      expect(await guess(STRANGER, `account ${account}`)).toBe('wrong');
      failed += 1;
    }
    expect(await guess(STRANGER, 'somebody new')).toBe(60);
    expect(await guess(HOME, 'somebody new')).toBe('wrong');
    clock.advance(20 * MINUTE_MS);
    expect(await guess(STRANGER, 'somebody new')).toBe('wrong');
  });

  it('admits the owner from a known address while other addresses keep the account busy', async () => {
    expect(await signIn(HOME)).toBe('in');
    await guesses(200, (index) => `198.51.100.${index}`);
    expect(await signIn(HOME)).toBe('in');
    expect(await guess(STRANGER)).not.toBe('wrong');
  });

  it('slows guessing at a known address, too', async () => {
    await signIn(HOME);
    const answers = await guesses(8, () => HOME);
    expect(answers).toEqual(['wrong', 'wrong', 'wrong', 'wrong', 'wrong', 'wrong', 2, 2]);
  });

  it('forgets a known address thirty days after the last time', async () => {
    await signIn(HOME);
    clock.advance(30 * 24 * 60 * MINUTE_MS);
    await guesses(6, () => STRANGER);
    expect((await guard.admit(attempt(HOME))).counted).toBe('ann');
  });

  it('admits an unknown address once while the account is busy, and answers its wrong password like a refusal', async () => {
    await guesses(7, () => STRANGER);
    const admission = await guard.admit(attempt(HOME));
    expect(admission.busyMs).toBeGreaterThan(0);
    await expect(guard.fail(admission, HOME)).rejects.toMatchObject({ code: 'login_too_often' });
    await expect(guard.admit(attempt(HOME))).rejects.toMatchObject({ code: 'login_too_often' });
  });

  it('tracks at most 100 such addresses', async () => {
    await guesses(7, () => STRANGER);
    let heard = 0;
    for (let index = 0; index < 150; index += 1)
      heard += await guard.admit(attempt(`203.0.113.${index}`)).then(
        ({ busyMs }) => (busyMs === undefined ? 0 : 1),
        () => 0,
      );
    expect(heard).toBe(100);
  });

  it('keeps the common count when the owner comes in through the first attempt of an address', async () => {
    await guesses(7, () => STRANGER);
    expect(await signIn(HOME)).toBe('in');
    expect(await guess('203.0.113.9')).not.toBe('wrong');
    expect(await signIn(HOME)).toBe('in');
  });

  it('starts the common count again when the owner signs in before it is full', async () => {
    await guesses(4, () => STRANGER);
    expect(await signIn(HOME)).toBe('in');
    expect(await guesses(5, () => STRANGER)).toEqual(['wrong', 'wrong', 'wrong', 'wrong', 'wrong']);
  });

  it('counts attempts by a mailed link apart from other attempts, and slows them as well', async () => {
    await guesses(7, () => STRANGER);
    const answers: ('wrong' | number)[] = [];
    for (let turn = 0; turn < 7; turn += 1) answers.push(await guess(STRANGER, 'ann', 'link'));
    expect(answers).toEqual(['wrong', 'wrong', 'wrong', 'wrong', 'wrong', 'wrong', 2]);
  });

  it('keeps accounts apart whose keys equal members of objects', async () => {
    await guesses(7, () => STRANGER, '__proto__');
    expect(await guess(STRANGER, 'constructor')).toBe('wrong');
  });

  it('notes at most 120 failures a minute, without the name that was typed', async () => {
    for (let index = 0; index < 130; index += 1) await guard.recordFailure(index === 0 ? { id: 7 } : null);
    expect(noted).toHaveLength(120);
    expect(noted[0]).toMatchObject({ action: 'login.fail', targetId: 7 });
    expect(noted[1]).toMatchObject({ targetId: '', detail: { way: 'password' } });
    clock.advance(MINUTE_MS);
    await guard.recordFailure(null);
    expect(noted).toHaveLength(121);
  });
});

describe('countKeyOf', () => {
  it('counts every spelling of an account together, and shows none of them', () => {
    const key = countKeyOf({ id: 7 }, 'ann@example.com');
    expect(countKeyOf({ id: 7 }, 'ann')).toBe(key);
    expect(key).toMatch(/^[0-9a-zA-Z_-]{32}$/);
  });

  it('never counts an unused name with an account', () => {
    const names = ['', '7', 'account 7', 'name 7', '__proto__', '名前'];
    const keys = [countKeyOf({ id: 7 }, '7'), ...names.map((name) => countKeyOf(null, name))];
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.every((key) => key.length === 32)).toBe(true);
  });
});
