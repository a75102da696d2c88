import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import type { Mailer } from './mailer.js';
import type { AccountsService } from '../../users/accounts.service.js';
import { SecurityEmails } from './security-emails.js';

describe('SecurityEmails', () => {
  let warnings: string[];
  let posted: { readonly to: string }[];
  let mailer: { isSetUp: boolean; post: (order: { readonly to: string }) => void };
  let letters: SecurityEmails;

  beforeEach(() => {
    warnings = [];
    posted = [];
    mailer = { isSetUp: false, post: (order) => posted.push(order) };
    jest
      .spyOn(Logger.prototype, 'warn')
      .mockImplementation((line: unknown) => void warnings.push(String(line)));
    letters = new SecurityEmails({} as AccountsService, mailer as unknown as Mailer, new FakeClock());
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const change = (): void => letters.sendTo({ username: 'ann', email: 'ann@example.com' }, 'password', 'en');

  it('logs once that mails are left out, and again when mail was set up in between', () => {
    change();
    change();
    letters.send(7, 'mail');
    expect([warnings.length, posted]).toEqual([1, []]);
    expect(warnings[0]).toContain('no mail server is set up');
    mailer.isSetUp = true;
    change();
    expect(posted).toMatchObject([{ to: 'ann@example.com' }]);
    mailer.isSetUp = false;
    change();
    expect(warnings).toHaveLength(2);
  });

  it('sends nothing to an account without an address', () => {
    letters.sendTo({ username: 'ann', email: '' }, 'password', 'en');
    expect(warnings).toEqual([]);
  });
});
