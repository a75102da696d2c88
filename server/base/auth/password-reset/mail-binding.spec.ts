import { describe, expect, it } from '@jest/globals';
import { codeOf } from '../../../../test/support/code-of.js';
import { anActor, byAccessToken } from '../../../../test/support/people.js';
import type { AccountsService } from '../../users/accounts.service.js';
import type { SecurityEmails } from '../../notifications/mail/security-emails.js';
import type { AuditLog } from '../../audit/audit-log.js';
import type { MailCodes } from '../verification/mail-codes.js';
import { MailBinding } from './mail-binding.js';

function binding(former: string) {
  const done: unknown[] = [];
  const service = new MailBinding(
    {
      prove: async (subject: object) => {
        done.push(subject);
        return { address: 'Ann@new.test', folded: 'ann@new.test' };
      },
    } as unknown as MailCodes,
    {
      mailOf: async () => former,
      change: async (_id: number, changes: unknown, ends: unknown) => void done.push([changes, ends]),
    } as unknown as AccountsService,
    {
      record: async (_manager: unknown, { detail }: { detail: unknown }) => void done.push(detail),
    } as unknown as AuditLog,
    {
      sendTo: ({ email }: { email: string }) => void done.push(`letter to ${email}`),
    } as unknown as SecurityEmails,
  );
  return {
    done,
    bind: (actor = anActor(), code = 'ABC234') =>
      codeOf(service.bind(actor, { email: 'Ann@new.test', code }, 'en')),
  };
}

describe('MailBinding', () => {
  it('binds the address its code was sent to for this account, and notifies the former address', async () => {
    const { done, bind } = binding('ann@old.test');
    expect(await bind()).toBe('done');
    expect(done).toEqual([
      { address: 'Ann@new.test', purpose: 'bind-mail', userId: 7 },
      [{ email: 'Ann@new.test', emailFolded: 'ann@new.test' }, { endsLogins: false }],
      { before: 'ann@old.test', after: 'Ann@new.test' },
      'letter to ann@old.test',
    ]);
  });

  it('sends no mail when only letter case changed', async () => {
    const { done, bind } = binding('ANN@new.test');
    await bind();
    expect(done.join()).not.toContain('letter');
  });

  it('requires a code, and a login', async () => {
    const { done, bind } = binding('');
    expect(await bind(anActor(), ' ')).toBe('mail_code_missing');
    expect(await bind(byAccessToken())).toBe('session_required');
    expect(done).toEqual([]);
  });
});
