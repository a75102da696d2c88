import { describe, expect, it } from '@jest/globals';
import { codeOf } from '../../../../test/support/code-of.js';
import { anAccount } from '../../../../test/support/people.js';
import type { AccountsService } from '../../users/accounts.service.js';
import type { Mailer } from '../../notifications/mail/mailer.js';
import type { ServerAddress } from '../../options/server-address.js';
import type { MailLimits } from '../verification/mail-limits.js';
import { ResetLinkMail } from './password-reset.js';
import type { ResetLink, ResetLinks } from './password-reset.js';

function resets({
  account = anAccount() as ReturnType<typeof anAccount> | null,
  isSetUp = true,
  page = 'https://gate.test/reset' as string | null,
} = {}) {
  const letters: unknown[] = [];
  const issued: ResetLink[] = [];
  const counted: string[] = [];
  const mail = new ResetLinkMail(
    {
      findByMail: async () => account && { ...account, email: 'Ann@example.com' },
    } as unknown as AccountsService,
    {
      issue: async (link: ResetLink) => {
        issued.push(link);
        return 'token';
      },
    } as unknown as ResetLinks,
    { admit: async (folded: string) => void counted.push(folded) } as unknown as MailLimits,
    { isSetUp, post: (letter: unknown) => void letters.push(letter) } as unknown as Mailer,
    { page: () => page } as unknown as ServerAddress,
  );
  return {
    letters,
    issued,
    counted,
    send: (typed = 'ANN@example.com') => codeOf(mail.send(typed, 'ip', 'zh')),
  };
}

describe('ResetLinkMail', () => {
  it('mails a link to the address as it is stored', async () => {
    const { letters, issued, counted, send } = resets();
    expect(await send()).toBe('done');
    expect(letters).toEqual([
      {
        to: 'Ann@example.com',
        template: 'reset',
        language: 'zh',
        values: {
          link: 'https://gate.test/reset?email=Ann%40example.com&token=token',
          minutes: 10,
          username: 'ann',
        },
      },
    ]);
    expect(issued).toEqual([{ userId: 7, folded: 'ann@example.com', authVersion: 3 }]);
    expect(counted).toEqual(['ann@example.com']);
  });

  it.each([
    ['nobody has it', null],
    ['its account is banned', anAccount({ status: 2 })],
  ])('answers the same, counts the same and mails nothing when %s', async (_, account) => {
    const { letters, issued, counted, send } = resets({ account });
    expect(await send()).toBe('done');
    expect(letters).toEqual([]);
    expect([issued[0]?.userId, counted]).toEqual([0, ['ann@example.com']]);
  });

  it.each([
    ['mail_required', {}, ' '],
    ['mail_invalid', {}, 'ann'],
    ['mail_unavailable', { isSetUp: false }, 'ann@example.com'],
    ['reset_unavailable', { page: null }, 'ann@example.com'],
  ])('refuses with %s before anything is counted', async (code, situation, typed) => {
    const { counted, send } = resets(situation);
    expect(await send(typed)).toBe(code);
    expect(counted).toEqual([]);
  });
});
