import { describe, expect, it } from '@jest/globals';
import {
  cleanExternalName,
  displayNameOf,
  generatedUsername,
  suggestedUsername,
} from './external-profile.js';

const profile = (more: { username?: string; displayName?: string }) => ({
  provider: 'oidc' as const,
  subject: '1',
  ...more,
});

describe('names from outside [OAUTH-09]', () => {
  it.each([
    ['Ada', 'Ada'],
    ['  Ada \n\t Lovelace ', 'Ada Lovelace'],
    ['Ada\u202Eecalevol', 'Ada ecalevol'],
    ['A\u200Bd\u2060a', 'A d a'],
    ['\uFEFF', ''],
    ['\u0000\u0007', ''],
    ['עדה לאבלייס', 'עדה לאבלייס'],
    ['<b>Ada</b>', '<b>Ada</b>'],
    ['x'.repeat(10_000), 'x'.repeat(20)],
    ['𝒜'.repeat(30), '𝒜'.repeat(20)],
  ])('%j becomes %j', (text, clean) => {
    expect(cleanExternalName(text, 20)).toBe(clean);
  });

  it.each([
    'ro',
    'root',
    'ROOT',
    'Admin',
    'a b',
    'ada\u200b',
    'ada/../x',
    'a'.repeat(65),
    '',
    'ada@mail.test',
  ])('never makes %j a username', (username) => {
    expect(suggestedUsername(profile({ username }))).toBeNull();
  });

  it('takes a name that an account may have', () => {
    expect(suggestedUsername(profile({ username: 'Ada.L-1_x' }))).toBe('Ada.L-1_x');
    expect(suggestedUsername(profile({}))).toBeNull();
  });

  it('shows the username of an account without a name', () => {
    expect(displayNameOf(profile({ displayName: '\u202e ' }), 'oidc_abcdefgh')).toBe('oidc_abcdefgh');
    expect(displayNameOf(profile({ displayName: 'Ada' }), 'oidc_abcdefgh')).toBe('Ada');
    expect(displayNameOf(profile({}), 'a'.repeat(64))).toBe('a'.repeat(20));
  });

  it('generates names of the provider', () => {
    expect(generatedUsername('linuxdo', 'k3m9x2ab')).toBe('linuxdo_k3m9x2ab');
  });
});
