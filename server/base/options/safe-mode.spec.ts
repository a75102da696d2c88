import { describe, expect, it } from '@jest/globals';
import { OPTION_FALLBACKS } from './option-catalogue.js';
import { safeModeValues } from './safe-mode.js';

const STORED = {
  ...OPTION_FALLBACKS,
  SystemName: 'Ours',
  ServerAddress: 'https://a.example',
  'passkey.enabled': true,
  RelayEnabled: true,
  PaymentEnabled: true,
  RegisterEnabled: true,
  RetryTimes: OPTION_FALLBACKS.RetryTimes + 1,
};

describe('safeModeValues', () => {
  it('keeps what root needs to sign in, and nothing else that is stored', () => {
    const values = safeModeValues(STORED);
    expect(values).toMatchObject({
      SystemName: 'Ours',
      ServerAddress: 'https://a.example',
      'passkey.enabled': true,
    });
    expect(values.RetryTimes).toBe(OPTION_FALLBACKS.RetryTimes);
  });

  it('serves no calls, takes no payments and accepts no new accounts', () => {
    expect(safeModeValues(STORED)).toMatchObject({
      RelayEnabled: false,
      PaymentEnabled: false,
      RegisterEnabled: false,
    });
  });

  it('returns a frozen value for every option', () => {
    const values = safeModeValues(STORED);
    expect(Object.keys(values).toSorted()).toEqual(Object.keys(OPTION_FALLBACKS).toSorted());
    expect(Object.isFrozen(values)).toBe(true);
  });
});
