import { describe, expect, it } from '@jest/globals';
import { anAccount } from '../../../test/support/people.js';
import { memoryPendingSteps } from '../../../test/support/memory-pending-steps.js';
import type { AccountsService } from '../users/accounts.service.js';
import type { Mailer } from '../notifications/mail/mailer.js';
import type { ServerAddress } from '../options/server-address.js';
import type { MailLimits } from './verification/mail-limits.js';
import { LoginUnlock } from './login-unlock.service.js';
import { VerificationTickets } from './verification-tickets.js';

interface Letter {
  readonly to: string;
  readonly values: { readonly link: string };
}

function unlocks({
  account = anAccount() as ReturnType<typeof anAccount> | null,
  email = 'Ann@example.com',
  page = 'https://gate.test/login' as string | null,
  isSetUp = true,
  isFull = false,
} = {}) {
  const letters: Letter[] = [];
  const counted: string[] = [];
  const service = new LoginUnlock(
    { findForLogin: async () => account, mailOf: async () => email } as unknown as AccountsService,
    new VerificationTickets(memoryPendingSteps()),
    {
      admit: async (asked: string) => void counted.push(asked),
      mayWriteTo: async (mailbox: string) => {
        counted.push(mailbox);
        return !isFull;
      },
    } as unknown as MailLimits,
    { isSetUp, post: (letter: Letter) => letters.push(letter) } as unknown as Mailer,
    { page: () => page } as unknown as ServerAddress,
  );
  const request = (name = 'Ann') =>
    service.request(name, '192.0.2.1', 'en').then(
      () => 'done',
      (error: { code: string }) => error.code,
    );
  const linked = () => new URL(letters[0]?.values.link ?? '').searchParams.get('unlock') ?? '';
  return { service, request, letters, counted, linked };
}

describe('LoginUnlock', () => {
  it('mails a link to the address of the account, counted by the typed text and by that address', async () => {
    const { request, letters, counted } = unlocks();
    expect(await request()).toBe('done');
    expect(letters).toMatchObject([{ to: 'Ann@example.com' }]);
    expect(counted).toEqual(['ann', 'ann@example.com']);
  });

  it('counts a mail once when the address itself was typed', async () => {
    const { request, counted } = unlocks();
    expect(await request('Ann@Example.com')).toBe('done');
    expect(counted).toEqual(['ann@example.com']);
  });

  it.each([
    ['nobody has the name', { account: null }],
    ['the account is banned', { account: anAccount({ status: 2 }) }],
    ['the account has no address', { email: '' }],
    ['the mailbox had its letters already', { isFull: true }],
  ])('answers the same and mails nothing when %s', async (_, situation) => {
    const { request, letters } = unlocks(situation);
    expect(await request()).toBe('done');
    expect(letters).toEqual([]);
  });

  it.each([
    [{ isSetUp: false }, 'Ann', 'mail_unavailable'],
    [{ page: null }, 'Ann', 'reset_unavailable'],
    [{}, ' ', 'login_fields_required'],
  ])('refuses with %j for the name %j: %s', async (situation, name, code) => {
    expect(await unlocks(situation).request(name)).toBe(code);
  });

  it('gives counts of their own to the account of the link, and to no other', async () => {
    const { service, request, linked } = unlocks();
    await request();
    const token = linked();
    expect(await service.countsOf(token, anAccount())).toMatch(/^link-[0-9a-f]{32}$/);
    expect(await service.countsOf(token, anAccount({ id: 8 }))).toBeUndefined();
    expect(await service.countsOf(token, anAccount({ authVersion: 4 }))).toBeUndefined();
    expect(await service.countsOf(token, null)).toBeUndefined();
    expect(await service.countsOf('', anAccount())).toBeUndefined();
    expect(await service.countsOf('guess', anAccount())).toBeUndefined();
  });

  it('gives none by a link that did its work', async () => {
    const { service, request, linked } = unlocks();
    await request();
    await service.spend(linked());
    expect(await service.countsOf(linked(), anAccount())).toBeUndefined();
  });
});
