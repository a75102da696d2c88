import { describe, expect, it } from '@jest/globals';
import { OPTION_FALLBACKS } from '../../options/option-catalogue.js';
import { smtpServerOf } from './smtp-server.js';

const OPTIONS = {
  ...OPTION_FALLBACKS,
  SMTPServer: 'mail.example',
  SMTPAccount: 'robot@gate.example',
  SMTPToken: 'hunter2',
};

describe('smtpServerOf', () => {
  it('sends as the account where no sender is named', () => {
    expect(smtpServerOf(OPTIONS)).toMatchObject({
      host: 'mail.example',
      port: 587,
      from: 'robot@gate.example',
      login: { user: 'robot@gate.example', password: 'hunter2', forcesLogin: false },
    });
    expect(smtpServerOf({ ...OPTIONS, SMTPFrom: 'news@gate.example' })?.from).toBe('news@gate.example');
  });

  it.each([
    ['a host', { SMTPServer: '' }],
    ['a sender', { SMTPAccount: '' }],
    ['a sender that is an address', { SMTPFrom: 'no address' }],
    ['an account that is an address, or a sender', { SMTPAccount: 'robot' }],
  ])('returns null without %s', (_what, changes) => {
    expect(smtpServerOf({ ...OPTIONS, ...changes })).toBeNull();
  });

  it('does not sign in with half a login', () => {
    expect(smtpServerOf({ ...OPTIONS, SMTPToken: '' })?.login).toBeNull();
    expect(smtpServerOf({ ...OPTIONS, SMTPAccount: '', SMTPFrom: 'news@gate.example' })?.login).toBeNull();
  });

  it.each([
    [587, false, false],
    [465, false, true],
    [2525, true, true],
  ])('uses TLS from the first byte on port %i with the switch %s: %s', (port, isOn, expected) => {
    expect(smtpServerOf({ ...OPTIONS, SMTPPort: port, SMTPSSLEnabled: isOn })?.isSecure).toBe(expected);
  });
});
