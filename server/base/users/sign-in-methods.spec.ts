import { describe, expect, it } from '@jest/globals';
import { OPTION_FALLBACKS } from '../options/option-catalogue.js';
import { SignInMethods } from './sign-in-methods.js';

describe('SignInMethods', () => {
  it('counts none before a kind is registered', async () => {
    expect(await new SignInMethods().countOf(1, OPTION_FALLBACKS)).toBe(0);
  });

  it('adds up every kind, under the given options', async () => {
    const methods = new SignInMethods();
    methods.register((userId, options) => Promise.resolve(options['passkey.enabled'] ? userId : 0));
    methods.register(() => Promise.resolve(10));
    expect(await methods.countOf(2, { ...OPTION_FALLBACKS, 'passkey.enabled': true })).toBe(12);
    expect(await methods.countOf(2, { ...OPTION_FALLBACKS, 'passkey.enabled': false })).toBe(10);
  });

  it('fails when one kind cannot be counted, so that the last way is not taken by mistake', async () => {
    const methods = new SignInMethods();
    methods.register(() => Promise.reject(new Error('away')));
    await expect(methods.countOf(1, OPTION_FALLBACKS)).rejects.toThrow('away');
  });
});
