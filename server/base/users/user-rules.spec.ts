import { describe, expect, it } from '@jest/globals';
import {
  assertDisplayName,
  assertPassword,
  assertUsername,
  foldUsername,
  isPassword,
  isUsername,
  TYPED_NAME_MAX,
} from './user-rules.js';

describe('isUsername', () => {
  it.each(['ada', 'a.b-c_9', 'twelve-chars'])('takes %s', (name) => {
    expect(isUsername(name, TYPED_NAME_MAX)).toBe(true);
  });

  it.each(['ab', 'thirteen-char', 'has space', 'ädä', 'a/b', ''])('refuses %j', (name) => {
    expect(isUsername(name, TYPED_NAME_MAX)).toBe(false);
  });
});

describe('assertUsername', () => {
  it('lets administrators assign longer names, and names that look official', () => {
    expect(() => assertUsername('a-name-of-twenty-two-c', 'administrator')).not.toThrow();
    expect(() => assertUsername('a-name-of-twenty-two-c', 'owner')).toThrow(
      expect.objectContaining({ code: 'username_invalid' }),
    );
    expect(() => assertUsername('admin', 'administrator')).not.toThrow();
    expect(() => assertUsername('admin', 'owner')).toThrow(
      expect.objectContaining({ code: 'username_reserved' }),
    );
  });
});

describe('foldUsername', () => {
  it('compares names without case, blanks around them, or Unicode form', () => {
    expect(foldUsername(' Ada ')).toBe('ada');
    expect(foldUsername('e\u0301')).toBe(foldUsername('\u00e9'));
  });
});

describe('assertPassword', () => {
  it('counts the letters of the composed form', () => {
    expect(isPassword('e\u0301'.repeat(8))).toBe(true);
    expect(isPassword('e\u0301'.repeat(7))).toBe(false);
    expect(isPassword('x'.repeat(128))).toBe(true);
    expect(isPassword('x'.repeat(129))).toBe(false);
  });

  it('refuses the passwords guessed first', () => {
    for (const password of ['password123', 'password2026', 'rootroot!'])
      expect(() => assertPassword(password)).toThrow(
        expect.objectContaining({ code: 'password_well_known' }),
      );
  });
});

describe('assertDisplayName', () => {
  it('refuses characters that are not seen or turn the reading direction', () => {
    for (const name of ['a\u202eb', 'a\u200bb', '\ufeffa'])
      expect(() => assertDisplayName(name, 'administrator')).toThrow(
        expect.objectContaining({ code: 'display_name_invalid' }),
      );
    // A family is one emoji of several, put together by joiners.
    expect(() => assertDisplayName('\u{1f468}\u200d\u{1f469}', 'owner')).not.toThrow();
  });

  it('refuses more than 20 characters', () => {
    expect(() => assertDisplayName('x'.repeat(20), 'owner')).not.toThrow();
    expect(() => assertDisplayName('x'.repeat(21), 'owner')).toThrow(
      expect.objectContaining({ code: 'display_name_too_long' }),
    );
  });
});
