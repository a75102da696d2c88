import { describe, expect, it } from '@jest/globals';
import { codeOf } from '../../../../test/support/code-of.js';
import { OPTION_FALLBACKS, type OptionValues } from '../../options/option-catalogue.js';
import type { OptionsService } from '../../options/options.service.js';
import type { CodeEmails } from './mail-codes.js';
import { MailCodes } from './mail-codes.js';
import type { MailLimits } from './mail-limits.js';
import type { CodePurpose, OneTimeCodes } from './one-time-codes.js';

function codes(options: Partial<OptionValues> = {}, { isSetUp = true } = {}) {
  const done: unknown[] = [];
  const service = new MailCodes(
    {
      issue: async (subject: object) => {
        done.push(subject);
        return 'ABC234';
      },
      redeem: async (subject: object, code: string) => {
        done.push(subject);
        return code === 'ABC234';
      },
    } as unknown as OneTimeCodes,
    { admit: async (folded: string) => void done.push(`counted ${folded}`) } as unknown as MailLimits,
    {
      isSetUp,
      post: async (_mail: unknown, purpose: string, code: string) => void done.push(`${purpose} ${code}`),
    } as unknown as CodeEmails,
    { values: () => ({ ...OPTION_FALLBACKS, ...options }) } as unknown as OptionsService,
  );
  const send = (address: string, purpose: CodePurpose = 'register', userId = 0) =>
    codeOf(service.send({ address, purpose, userId, ip: 'ip', language: 'en' }));
  return { service, done, send };
}

const strict = {
  EmailDomainRestrictionEnabled: true,
  EmailDomainWhitelist: ['example.com'],
  EmailAliasRestrictionEnabled: true,
} as const;

describe('MailCodes', () => {
  it('counts, makes and mails a code for the folded address and its purpose', async () => {
    const { done, send } = codes();
    expect(await send('Ann@Example.com', 'bind-mail', 7)).toBe('done');
    expect(done).toEqual([
      'counted ann@example.com',
      { purpose: 'bind-mail', userId: 7, address: 'ann@example.com' },
      'bind-mail ABC234',
    ]);
  });

  it('makes no registration codes for a signed-in account', async () => {
    const { done, send } = codes();
    await send('ann@example.com', 'register', 7);
    expect(done).toContainEqual({ purpose: 'register', userId: 0, address: 'ann@example.com' });
  });

  it.each<[string, Partial<OptionValues>, string]>([
    [' ', {}, 'mail_required'],
    ['ann', {}, 'mail_invalid'],
    ['ann@other.test', strict, 'mail_domain_refused'],
    ['a.nn@example.com', strict, 'mail_alias_refused'],
  ])('refuses %j for requested and for typed codes', async (address, options, code) => {
    const { service, done, send } = codes(options);
    expect(await send(address)).toBe(code);
    expect(await codeOf(service.prove({ address, purpose: 'register', userId: 0 }, 'ABC234'))).toBe(code);
    expect(done).toEqual([]);
  });

  it('proves an address by a right code alone', async () => {
    const { service } = codes();
    const wanted = { address: 'Ann@Example.com', purpose: 'bind-mail', userId: 7 } as const;
    expect(await service.prove(wanted, 'ABC234')).toMatchObject({
      address: 'Ann@example.com',
      folded: 'ann@example.com',
    });
    expect(await codeOf(service.prove(wanted, 'ZZZZZZ'))).toBe('mail_code_wrong');
  });

  it('sends nothing where no mail can leave', async () => {
    const { done, send } = codes({}, { isSetUp: false });
    expect(await send('ann@example.com')).toBe('mail_unavailable');
    expect(done).toEqual([]);
  });

  it('refuses registration codes while registration is closed', () => {
    const { service } = codes({ RegisterEnabled: false });
    expect(() => service.assertPurposeEnabled('register')).toThrow(
      expect.objectContaining({ code: 'register_off' }),
    );
    expect(() => service.assertPurposeEnabled('bind-mail')).not.toThrow();
  });
});
