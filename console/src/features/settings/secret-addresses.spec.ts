import { describe, expect, it } from '@jest/globals';
import { callsFor, secretsOf } from './secret-addresses';

const keysOf = (...keys: string[]) =>
  callsFor(keys.map((key) => ({ key }))).map((call) => call.map(({ key }) => key));

describe('callsFor', () => {
  it('sends a secret in one call with its address, wherever it stands', () => {
    expect(keysOf('EpayKey', 'SMTPServer', 'PayAddress', 'SystemName')).toEqual([
      ['SMTPServer'],
      ['PayAddress', 'EpayKey'],
      ['SystemName'],
    ]);
  });

  it('sends a secret alone where its address stays', () => {
    expect(keysOf('EpayKey', 'SMTPToken', 'SMTPServer')).toEqual([['EpayKey'], ['SMTPServer', 'SMTPToken']]);
    expect(keysOf()).toEqual([]);
  });
});

describe('secretsOf', () => {
  it('lists the secrets that are sent to an address', () => {
    expect([secretsOf('PayAddress'), secretsOf('SystemName'), secretsOf('')]).toEqual([['EpayKey'], [], []]);
  });
});
