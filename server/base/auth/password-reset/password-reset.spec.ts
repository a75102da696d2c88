import { describe, expect, it } from '@jest/globals';
import { codeOf } from '../../../../test/support/code-of.js';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { memoryPendingSteps } from '../../../../test/support/memory-pending-steps.js';
import { memoryRateLimiter } from '../../../../test/support/memory-rate-limiter.js';
import { anAccount } from '../../../../test/support/people.js';
import type { AccountsService } from '../../users/accounts.service.js';
import type { SecurityEmails } from '../../notifications/mail/security-emails.js';
import type { AuditLog } from '../../audit/audit-log.js';
import type { PasswordHasher } from '../password.js';
import { PasswordReset, ResetLinks } from './password-reset.js';

const MAIL = 'ann@example.com';

async function linked() {
  const state = { account: { ...anAccount(), email: MAIL } as ReturnType<typeof anAccount> | null };
  const done: unknown[] = [];
  const links = new ResetLinks(memoryPendingSteps(), memoryRateLimiter(new FakeClock()));
  const reset = new PasswordReset(
    links,
    {
      findByMail: async () => state.account,
      change: async (...change: unknown[]) => void done.push(change),
    } as unknown as AccountsService,
    { hash: async (password: string) => `hash of ${password}` } as unknown as PasswordHasher,
    {
      record: async (_manager: unknown, act: { action: string }) => void done.push(act.action),
    } as unknown as AuditLog,
    {
      sendTo: (_owner: unknown, change: string) => void done.push(`letter: ${change}`),
    } as unknown as SecurityEmails,
  );
  const token = await links.issue({ userId: 7, folded: MAIL, authVersion: 3 });
  const confirm = (email = 'Ann@Example.com') => reset.confirm({ email, token }, '192.0.2.1', 'en');
  return { state, done, confirm };
}

describe('PasswordReset', () => {
  it('gives a new password, ends every login, and notifies the owner', async () => {
    const { done, confirm } = await linked();
    const { password } = await confirm();
    expect(password).toMatch(/^[A-Za-z0-9]{16}$/);
    expect(done).toEqual([
      [7, { password: `hash of ${password}` }, { endsLogins: true }],
      'user.password_reset',
      'letter: password',
    ]);
  });

  it('works once', async () => {
    const { done, confirm } = await linked();
    await confirm();
    expect(await codeOf(confirm())).toBe('reset_link_invalid');
    expect(done).toHaveLength(3);
  });

  it.each([
    ['is gone', null],
    ['is another one by now', anAccount({ id: 8 })],
    ['was changed since', anAccount({ authVersion: 4 })],
    ['is banned', anAccount({ status: 2 })],
  ])('gives none when the account %s', async (_, account) => {
    const { state, done, confirm } = await linked();
    state.account = account;
    expect(await codeOf(confirm())).toBe('reset_link_invalid');
    expect(done).toEqual([]);
  });

  it('leaves the link good when another address was typed beside it', async () => {
    const { confirm } = await linked();
    expect(await codeOf(confirm('bob@example.com'))).toBe('reset_link_invalid');
    expect(await codeOf(confirm())).toBe('done');
  });
});
