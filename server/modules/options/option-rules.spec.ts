import { describe, expect, it } from '@jest/globals';
import { epayMerchant } from './epay-merchant.js';
import { OPTION_CATALOGUE, OPTION_FALLBACKS, type OptionValues } from './option-catalogue.js';
import { checkOptionRules, withdrawnSecrets } from './option-rules.js';

const values = (changes: Partial<OptionValues>): OptionValues => ({ ...OPTION_FALLBACKS, ...changes });
const withdrawn = (before: Partial<OptionValues>, change: Partial<OptionValues>) =>
  withdrawnSecrets(values(before), values({ ...before, ...change }), new Set(Object.keys(change)));

const OIDC = { 'oidc.token_endpoint': 'https://a.test/token', 'oidc.client_secret': 's' } as const;

describe('the account at a payment service', () => {
  const options = { PayAddress: 'https://pay.test', EpayId: '1', EpayKey: 'k'.repeat(16) };

  it('PAY-01: is whole or nothing, with a key that nobody guesses', () => {
    expect(epayMerchant(options)).toMatchObject({ id: '1' });
    expect(epayMerchant({ ...options, EpayKey: 'k'.repeat(15) })).toBeNull();
    // Bytes count, not characters.
    expect(epayMerchant({ ...options, EpayKey: '密'.repeat(6) })).not.toBeNull();
    expect(epayMerchant({ ...options, EpayId: '' })).toBeNull();
    expect(() => OPTION_CATALOGUE.EpayKey.parse('k'.repeat(15))).toThrow('16 to 4096 bytes');
    expect(OPTION_CATALOGUE.EpayKey.parse('')).toBe('');
  });
});

describe('groups offered to everybody', () => {
  const check = (change: Partial<OptionValues>, changed: Partial<OptionValues> = change) =>
    checkOptionRules(values(change), new Set(Object.keys(changed)) as Set<keyof OptionValues>);

  it('are refused without a ratio, by their names', () => {
    expect(() => check({ UserUsableGroups: { default: 'd', ghost: 'g', constructor: 'c' } })).toThrow(
      expect.objectContaining({
        code: 'option_group_without_ratio',
        values: { groups: 'ghost, constructor' },
      }),
    );
  });

  it('may be given their ratio in the same change, and do not stop other changes', () => {
    const both = { UserUsableGroups: { new: 'n' }, GroupRatio: { default: 1, new: 2 } };
    expect(() => check(both)).not.toThrow();
    expect(() => check({ UserUsableGroups: { ghost: 'g' } }, { SystemName: 'x' })).not.toThrow();
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
  ])('are not demanded with %s, and what they need is not taken away', (_case, change, missing) => {
    expect(() => check(change, ['EmailVerificationEnabled'])).toThrow(misses(missing));
    for (const key of ['SMTPServer', 'SMTPFrom', 'SMTPAccount'] as const)
      if (key === missing) expect(() => check(change, [key])).toThrow(misses(missing));
    expect(() => check(change, ['SystemName'])).not.toThrow();
  });

  it.each([{ SMTPFrom: 'a@mail.test' }, { SMTPAccount: 'a@mail.test' }])('may be sent from %j', (sender) => {
    expect(() => check({ SMTPServer: 'mail.test', ...sender }, ['EmailVerificationEnabled'])).not.toThrow();
  });
});

describe('discounts and ways to pay', () => {
  const check = (change: Partial<OptionValues>, changed: Partial<OptionValues> = change) =>
    checkOptionRules(values(change), new Set(Object.keys(changed)) as Set<keyof OptionValues>);
  const discounts = 'payment_setting.amount_discount';

  it.each([0, 1.01])('refuse %d as a factor, by the amount', (factor) => {
    const change = { [discounts]: { '10': 0.9, '50': factor } };
    expect(() => check(change)).toThrow(
      expect.objectContaining({
        code: 'option_invalid',
        values: { key: discounts, range: expect.stringContaining('(see 50)') as unknown },
      }),
    );
    // What was stored before the rule does not stop other changes.
    expect(() => check(change, { SystemName: 'x' })).not.toThrow();
  });

  it('refuse a type that is there twice', () => {
    const methods = ['alipay', 'wxpay', 'alipay'].map((type, index) => ({ name: `way ${index}`, type }));
    expect(() => check({ PayMethods: methods })).toThrow(
      expect.objectContaining({
        code: 'option_invalid',
        values: { key: 'PayMethods', range: expect.stringContaining('(see alipay)') as unknown },
      }),
    );
    expect(() => check({ PayMethods: methods.slice(0, 2) })).not.toThrow();
    expect(() => check({ [discounts]: { '10': 1, '50': 0.000_001 } })).not.toThrow();
  });
});

describe('OAUTH-06 a secret goes with the address it was typed for', () => {
  it('is withdrawn when the address moves to another origin', () => {
    expect(withdrawn(OIDC, { 'oidc.token_endpoint': 'https://b.test/token' })).toEqual([
      'oidc.client_secret',
    ]);
    expect(withdrawn(OIDC, { 'oidc.token_endpoint': 'http://a.test/token' })).toEqual(['oidc.client_secret']);
    expect(withdrawn(OIDC, { 'oidc.token_endpoint': 'https://a.test:8443/token' })).toEqual([
      'oidc.client_secret',
    ]);
    expect(withdrawn(OIDC, { 'oidc.token_endpoint': '' })).toEqual(['oidc.client_secret']);
    expect(withdrawn({ GitHubClientSecret: 's' }, { GitHubServerAddress: 'https://ghe.test' })).toEqual([
      'GitHubClientSecret',
    ]);
    expect(
      withdrawn(
        { WeChatServerToken: 's', WeChatServerAddress: 'https://a.test' },
        { WeChatServerAddress: 'https://b.test' },
      ),
    ).toEqual(['WeChatServerToken']);
    const epay = { EpayKey: 's', PayAddress: 'https://a.test/pay' };
    // Without a merchant id nobody can pay: nothing stops.
    expect(withdrawn(epay, { PayAddress: 'https://b.test/pay' })).toEqual(['EpayKey']);
    expect(withdrawn({ StripeApiSecret: 's' }, { StripeApiAddress: 'https://b.test' })).toEqual([
      'StripeApiSecret',
    ]);
  });

  it('stays for another path, a first address, the usual address spelt out, and when it is typed again', () => {
    expect(withdrawn(OIDC, { 'oidc.token_endpoint': 'https://a.test/v2/token' })).toEqual([]);
    expect(
      withdrawn({ 'oidc.client_secret': 's' }, { 'oidc.token_endpoint': 'https://a.test/token' }),
    ).toEqual([]);
    expect(
      withdrawn({ LinuxDOClientSecret: 's' }, { LinuxDOServerAddress: 'https://connect.linux.do' }),
    ).toEqual([]);
    expect(
      withdrawn(OIDC, { 'oidc.token_endpoint': 'https://b.test/token', 'oidc.client_secret': 't' }),
    ).toEqual([]);
    expect(
      withdrawn({ 'oidc.token_endpoint': 'https://a.test' }, { 'oidc.token_endpoint': 'https://b.test' }),
    ).toEqual([]);
  });

  it('PAY-01: cannot be left behind while people pay with it', () => {
    const epay = { PayAddress: 'https://a.test/pay', EpayId: '1', EpayKey: 'k'.repeat(16) };
    const refusal = expect.objectContaining({
      code: 'option_secret_retype',
      values: { secret: 'EpayKey', switch: 'PaymentEnabled' },
    });
    expect(() => withdrawn(epay, { PayAddress: 'https://b.test/pay' })).toThrow(refusal);
    expect(() => withdrawn(epay, { PayAddress: '' })).toThrow(refusal);
    const move = { PayAddress: 'https://b.test/pay' };
    expect(withdrawn(epay, { ...move, EpayKey: 'n'.repeat(16) })).toEqual([]);
    expect(withdrawn(epay, { PayAddress: 'https://a.test/other' })).toEqual([]);
    expect(withdrawn({ ...epay, PaymentEnabled: false }, move)).toEqual(['EpayKey']);
    expect(withdrawn(epay, { ...move, PaymentEnabled: false })).toEqual(['EpayKey']);
    const stripe = { StripeApiSecret: 's', StripeWebhookSecret: 'w', StripeEnabled: true };
    expect(() => withdrawn(stripe, { StripeApiAddress: 'https://b.test' })).toThrow(
      expect.objectContaining({ values: { secret: 'StripeApiSecret', switch: 'StripeEnabled' } }),
    );
  });

  it('cannot be left behind while the provider is on', () => {
    const move = { 'oidc.token_endpoint': 'https://b.test/token' };
    expect(() => withdrawn({ ...OIDC, 'oidc.enabled': true }, move)).toThrow(
      expect.objectContaining({ code: 'option_secret_retype' }),
    );
    expect(withdrawn({ ...OIDC, 'oidc.enabled': true }, { ...move, 'oidc.enabled': false })).toEqual([
      'oidc.client_secret',
    ]);
  });
});
