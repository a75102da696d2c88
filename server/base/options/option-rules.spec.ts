import { describe, expect, it } from '@jest/globals';
import {
  OPTION_CATALOGUE,
  OPTION_FALLBACKS,
  type OptionKey,
  optionRow,
  type OptionValues,
} from './option-catalogue.js';
import { checkOptionRules, checkSecretPlaces, complaintBetween } from './option-rules.js';

const values = (changes: Partial<OptionValues>): OptionValues => ({ ...OPTION_FALLBACKS, ...changes });
const move = (before: Partial<OptionValues>, change: Partial<OptionValues>) =>
  checkSecretPlaces(values(before), values({ ...before, ...change }), new Set(Object.keys(change)));

describe('the key of a payment service', () => {
  it('refuses one that can be guessed, and takes none', () => {
    expect(() => OPTION_CATALOGUE.EpayKey.parse('k'.repeat(15))).toThrow('16 to 4096 bytes');
    expect(OPTION_CATALOGUE.EpayKey.parse('')).toBe('');
  });
});

describe('groups offered to everybody', () => {
  const check = (change: Partial<OptionValues>, changed: Partial<OptionValues> = change) =>
    checkOptionRules(values(change), new Set(Object.keys(changed)) as Set<keyof OptionValues>);

  it('refuses them without a ratio, by their names', () => {
    expect(() => check({ UserUsableGroups: { default: 'd', ghost: 'g', constructor: 'c' } })).toThrow(
      expect.objectContaining({
        code: 'option_group_without_ratio',
        values: { groups: 'ghost, constructor' },
      }),
    );
  });

  it('accepts their ratio in the same change, and does not stop other changes', () => {
    const both = { UserUsableGroups: { new: 'n' }, GroupRatio: { default: 1, new: 2 } };
    expect(() => check(both)).not.toThrow();
    expect(() => check({ UserUsableGroups: { ghost: 'g' } }, { SystemName: 'x' })).not.toThrow();
  });
});

describe('factors of models for accounts of a group', () => {
  const check = (change: Partial<OptionValues>, changed: readonly (keyof OptionValues)[]) =>
    checkOptionRules(values(change), new Set(changed));
  const ghost = expect.objectContaining({
    code: 'option_priced_group_without_ratio',
    values: { groups: 'ghost' },
  });

  it('refuses a group that does not exist, and that their group is taken away', () => {
    const both = { GroupModelRatio: { vip: { 'gpt-4*': 0.5 }, ghost: { '*': 1 } } };
    expect(() => check(both, ['GroupModelRatio'])).toThrow(ghost);
    expect(() => check(both, ['GroupRatio'])).toThrow(ghost);
  });

  it('accepts a new group in the same change, and does not stop other changes', () => {
    const both = { GroupModelRatio: { ghost: { '*': 1 } }, GroupRatio: { default: 1, ghost: 2 } };
    expect(() => check(both, ['GroupModelRatio', 'GroupRatio'])).not.toThrow();
    expect(() => check({ GroupModelRatio: { ghost: {} } }, ['SystemName'])).not.toThrow();
  });
});

describe('mail codes for new accounts', () => {
  const check = (change: Partial<OptionValues>, changed: readonly (keyof OptionValues)[]) =>
    checkOptionRules(values({ EmailVerificationEnabled: true, ...change }), new Set(changed));
  const misses = (missing: string) =>
    expect.objectContaining({
      code: 'option_incomplete',
      values: { key: 'EmailVerificationEnabled', missing },
    });

  it.each([
    ['no server', { SMTPFrom: 'a@mail.test' }, 'SMTPServer'],
    ['no sender', { SMTPServer: 'mail.test' }, 'SMTPFrom'],
    ['an account that is no address', { SMTPServer: 'mail.test', SMTPAccount: 'robot' }, 'SMTPFrom'],
  ])('does not demand them with %s, and keeps the options they need', (_case, change, missing) => {
    expect(() => check(change, ['EmailVerificationEnabled'])).toThrow(misses(missing));
    for (const key of ['SMTPServer', 'SMTPFrom', 'SMTPAccount'] as const)
      if (key === missing) expect(() => check(change, [key])).toThrow(misses(missing));
    expect(() => check(change, ['SystemName'])).not.toThrow();
  });

  it.each([{ SMTPFrom: 'a@mail.test' }, { SMTPAccount: 'a@mail.test' }])(
    'accepts the sender %j',
    (sender) => {
      expect(() => check({ SMTPServer: 'mail.test', ...sender }, ['EmailVerificationEnabled'])).not.toThrow();
    },
  );
});

describe('rules of the ways to pay', () => {
  const complaintOf = (key: OptionKey, value: unknown) => optionRow(key).complaint?.(JSON.stringify(value));
  const discounts = 'payment_setting.amount_discount';

  it.each([0, 1.01])('refuses %d as a factor, by the amount', (factor) => {
    expect(complaintOf(discounts, { '10': 0.9, '50': factor })).toContain('(see 50)');
    expect(complaintOf(discounts, { '10': 1, '50': 0.000_001 })).toBeUndefined();
  });

  it('refuses a type that is there twice', () => {
    const methods = ['alipay', 'wxpay', 'alipay'].map((type, index) => ({ name: `way ${index}`, type }));
    expect(complaintOf('PayMethods', methods)).toContain('(see alipay)');
    expect(complaintOf('PayMethods', methods.slice(0, 2))).toBeUndefined();
  });
});

describe('payments that count only when they are confirmed', () => {
  const pair = values({ EpayConfirmAboveMoney: 50, EpayOrderQueryEnabled: false });
  const refusal = expect.objectContaining({ code: 'option_confirmation_unasked' });

  it.each(['EpayConfirmAboveMoney', 'EpayOrderQueryEnabled'] as const)(
    'refuses %s when no confirmation would be requested',
    (key) => {
      expect(() => checkOptionRules(pair, new Set([key]))).toThrow(refusal);
      expect(() => checkOptionRules({ ...pair, [key]: OPTION_FALLBACKS[key] }, new Set([key]))).not.toThrow();
    },
  );

  it('does not stop other changes, and shows the fault of the stored value', () => {
    expect(() => checkOptionRules(pair, new Set(['SystemName']))).not.toThrow();
    expect(complaintBetween('EpayConfirmAboveMoney', pair)).toContain('EpayOrderQueryEnabled');
    expect(complaintBetween('EpayOrderQueryEnabled', pair)).toBeUndefined();
    expect(complaintBetween('EpayConfirmAboveMoney', values({ EpayConfirmAboveMoney: 50 }))).toBeUndefined();
  });
});

describe('a secret goes with the address it was typed for', () => {
  const PLACES = [
    ['oidc.client_secret', 'oidc.token_endpoint', 'https://a.test/token', 'https://b.test/token'],
    ['GitHubClientSecret', 'GitHubServerAddress', '', 'https://ghe.test'],
    ['LinuxDOClientSecret', 'LinuxDOServerAddress', 'https://ldo.test', ''],
    ['WeChatServerToken', 'WeChatServerAddress', 'https://a.test', 'http://a.test'],
    ['SMTPToken', 'SMTPServer', 'smtp.a.test', 'smtp.b.test'],
    ['EpayKey', 'PayAddress', 'https://a.test/pay', 'https://a.test:8443/pay'],
    ['AlertWebhookSecret', 'AlertWebhookUrl', 'https://a.test/x', 'https://b.test/x'],
    ['StripeApiSecret', 'StripeApiAddress', '', 'https://b.test'],
  ] as const;

  it.each(PLACES)('%s stays behind when %s moves only by being typed again or removed', (...place) => {
    const [secret, address, from, to] = place;
    const before = { [address]: from, [secret]: 'k'.repeat(16) };
    const refusal = expect.objectContaining({ code: 'option_secret_retype', values: { secret, address } });
    expect(() => move(before, { [address]: to })).toThrow(refusal);
    expect(() => move(before, { [address]: to, [secret]: 'n'.repeat(16) })).not.toThrow();
    expect(() => move(before, { [address]: to, [secret]: '' })).not.toThrow();
    expect(() => move({ ...before, [secret]: '' }, { [address]: to })).not.toThrow();
    expect(() => move(before, { [secret]: 'n'.repeat(16) })).not.toThrow();
    expect(() => move(before, { SystemName: 'x' })).not.toThrow();
  });

  it('stays for another path, a first address, and the usual address spelt out', () => {
    const OIDC = { 'oidc.token_endpoint': 'https://a.test/token', 'oidc.client_secret': 's' } as const;
    expect(() => move(OIDC, { 'oidc.token_endpoint': 'https://a.test/v2/token' })).not.toThrow();
    expect(() =>
      move({ 'oidc.client_secret': 's' }, { 'oidc.token_endpoint': 'https://a.test/token' }),
    ).not.toThrow();
    expect(() =>
      move({ LinuxDOClientSecret: 's' }, { LinuxDOServerAddress: 'https://connect.linux.do' }),
    ).not.toThrow();
    expect(() =>
      move({ SMTPToken: 's', SMTPServer: 'smtp.a.test' }, { SMTPServer: 'SMTP.A.test' }),
    ).not.toThrow();
  });

  it('does not leave with an address that is emptied', () => {
    expect(() => move({ SMTPToken: 's', SMTPServer: 'smtp.a.test' }, { SMTPServer: '' })).toThrow(
      expect.objectContaining({ code: 'option_secret_retype' }),
    );
  });
});
