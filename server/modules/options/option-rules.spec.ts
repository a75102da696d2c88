import { describe, expect, it } from '@jest/globals';
import { OPTION_FALLBACKS, type OptionValues } from './option-catalogue.js';
import { withdrawnSecrets } from './option-rules.js';

const values = (changes: Partial<OptionValues>): OptionValues => ({ ...OPTION_FALLBACKS, ...changes });
const withdrawn = (before: Partial<OptionValues>, change: Partial<OptionValues>) =>
  withdrawnSecrets(values(before), values({ ...before, ...change }), new Set(Object.keys(change)));

const OIDC = { 'oidc.token_endpoint': 'https://a.test/token', 'oidc.client_secret': 's' } as const;

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
