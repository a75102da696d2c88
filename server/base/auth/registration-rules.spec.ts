import { describe, expect, it } from '@jest/globals';
import { OPTION_FALLBACKS, type OptionValues } from '../options/option-catalogue.js';
import type { OptionsService } from '../options/options.service.js';
import type { MailCodes } from './verification/mail-codes.js';
import { registrationSchema } from './dto/login.dto.js';
import { RegistrationRules } from './registration-rules.js';

const OPEN = {
  ...OPTION_FALLBACKS,
  RegisterEnabled: true,
  PasswordRegisterEnabled: true,
  EmailVerificationEnabled: false,
};

function rulesWith(change: Partial<OptionValues>, isMailSetUp = true): RegistrationRules {
  const options = { values: () => ({ ...OPEN, ...change }) } as unknown as OptionsService;
  const codes = {
    isSetUp: isMailSetUp,
    prove: async ({ address }: { address: string }) => ({ address: address.trim() }),
  } as unknown as MailCodes;
  return new RegistrationRules(options, codes);
}

const form = (change: object = {}) =>
  registrationSchema.parse({ username: 'ada', password: 'long enough words', ...change });

const refusal = (code: string): unknown => expect.objectContaining({ code });

describe('RegistrationRules', () => {
  it('takes a form where registering is open and needs no address', async () => {
    const rules = rulesWith({}, false);
    expect(() => rules.assertOpen()).not.toThrow();
    expect(() => rules.assertForm('ada', form())).not.toThrow();
    expect(await rules.provenMail(form({ email: 'ada@example.com' }))).toBe('');
  });

  it.each([
    [{ RegisterEnabled: false }, 'register_off'],
    [{ PasswordRegisterEnabled: false }, 'register_by_password_off'],
    [{ EmailVerificationEnabled: true }, 'register_mail_unavailable'],
  ])('refuses every registration with %j and no mail server: %s', (change, code) => {
    expect(() => rulesWith(change, false).assertOpen()).toThrow(refusal(code));
  });

  it.each([
    [{ password: '' }, 'username_and_password_required'],
    [{ password: 'short' }, 'password_length'],
    [{ password2: 'other words' }, 'passwords_differ'],
    [{ email: ' ', verification_code: 'ABCDEF' }, 'mail_code_required'],
    [{ email: 'ada@example.com', verification_code: ' ' }, 'mail_code_required'],
  ])('refuses a form with %j: %s', (change, code) => {
    const rules = rulesWith({ EmailVerificationEnabled: true });
    expect(() => rules.assertForm('ada', form(change))).toThrow(refusal(code));
  });

  it('returns the address a code proves, if one is required', async () => {
    const rules = rulesWith({ EmailVerificationEnabled: true });
    const filled = form({ email: ' ada@example.com ', verification_code: 'ABCDEF' });
    expect(() => rules.assertForm('ada', filled)).not.toThrow();
    expect(await rules.provenMail(filled)).toBe('ada@example.com');
  });
});
