import { describe, expect, it } from '@jest/globals';
import { codeOf } from '../../../test/support/code-of.js';
import type { Env } from '../../config/env.js';
import { OPTION_FALLBACKS, type OptionValues } from '../../base/options/option-catalogue.js';
import type { OptionsService } from '../../base/options/options.service.js';
import { ReturnAddress } from './return-address.js';

type Check = (candidate: OptionValues, current: OptionValues) => void;

function addressOf(stored: Partial<OptionValues>, serverAddress?: string) {
  const current: OptionValues = { ...OPTION_FALLBACKS, ...stored };
  let check: Check = () => undefined;
  const keys: string[] = [];
  const options = {
    values: () => current,
    registerCheck: (of: readonly string[], ask: Check) => {
      keys.push(...of);
      check = ask;
    },
  } as unknown as OptionsService;
  const address = new ReturnAddress(options, { serverAddress, basePath: '' } as unknown as Env);
  address.onModuleInit();
  const change = (changes: Partial<OptionValues>) =>
    codeOf(Promise.resolve().then(() => check({ ...current, ...changes }, current)));
  return { address, keys, change };
}

const ADDRESS = { ServerAddress: 'https://gate.example' };
const REDIRECTS = ['GitHubOAuthEnabled', 'oidc.enabled', 'LinuxDOOAuthEnabled'] as const;

describe('ReturnAddress', () => {
  it('checks the address and the switches of providers that redirect', () => {
    expect(addressOf({}).keys).toEqual(['ServerAddress', ...REDIRECTS]);
  });

  describe.each(REDIRECTS)('%s', (key) => {
    it('cannot be switched on without an address', async () => {
      expect(await addressOf({}).change({ [key]: true })).toBe('option_incomplete');
      expect(await addressOf({}).change({ [key]: true, ...ADDRESS })).toBe('done');
      expect(await addressOf(ADDRESS).change({ [key]: true })).toBe('done');
      expect(await addressOf({}, 'https://gate.example').change({ [key]: true })).toBe('done');
    });

    it('keeps the address while it is on', async () => {
      const on = { [key]: true, ...ADDRESS };
      expect(await addressOf(on).change({ ServerAddress: '' })).toBe('option_incomplete');
      expect(await addressOf(on).change({ ServerAddress: '', [key]: false })).toBe('done');
      expect(await addressOf(on, 'https://gate.example').change({ ServerAddress: '' })).toBe('done');
    });
  });

  it('lets an installation that lacks the address switch one of two providers off', async () => {
    const both = addressOf({ GitHubOAuthEnabled: true, LinuxDOOAuthEnabled: true });
    expect(await both.change({ GitHubOAuthEnabled: false })).toBe('done');
    expect(await both.change({ 'oidc.enabled': true })).toBe('option_incomplete');
  });

  it('refuses a redirect without an address, and leads to the page of the provider with one', async () => {
    expect(await codeOf(Promise.resolve().then(() => addressOf({}).address.required('github')))).toBe(
      'server_address_required',
    );
    expect(addressOf(ADDRESS).address.required('oidc')).toBe('https://gate.example/oauth/oidc');
  });
});
