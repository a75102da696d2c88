import { describe, expect, it } from '@jest/globals';
import { parseMailAddress, refusalByMailRules } from './mail-address.js';

describe('a mail address', () => {
  it.each([
    ['nothing', ''],
    ['no @', 'alice.example.test'],
    ['two @', 'alice@b@example.test'],
    ['no local part', '@example.test'],
    ['no domain', 'alice@'],
    ['a domain of one label', 'alice@localhost'],
    ['an address literal', 'alice@[127.0.0.1]'],
    ['an IP address', 'alice@127.0.0.1'],
    ['a quoted local part', '"alice"@example.test'],
    ['a comment', 'alice(x)@example.test'],
    ['a display name', 'Alice <alice@example.test>'],
    ['two receivers', 'alice@example.test,bob@example.test'],
    ['two receivers with a semicolon', 'alice@example.test;bob@example.test'],
    ['a line break and a header', 'alice@example.test\r\nBcc: bob@example.test'],
    ['a line break in the local part', 'ali\nce@example.test'],
    ['a zero-width space', 'alice​@example.test'],
    ['a right-to-left override', 'alice@exa‮mple.test'],
    ['a local part of another script', 'аlice@example.test'],
    ['a space in the domain', 'alice@exa mple.test'],
    ['a percent sign in the domain', 'alice@exa%6dple.test'],
    ['a leading dot', '.alice@example.test'],
    ['two dots', 'al..ice@example.test'],
    ['a dash before a dot', 'alice@example-.test'],
    ['a local part of 65 characters', `${'a'.repeat(65)}@example.test`],
    ['more than 100 characters', `alice@${'a'.repeat(60)}.${'b'.repeat(60)}.test`],
  ])('refuses %s [CODE-04]', (_name, text) => {
    expect(parseMailAddress(text)).toBeNull();
  });

  it('compares in lower case, and writes to the address as typed [CODE-107]', () => {
    expect(parseMailAddress(' Alice.B+c@EXAMPLE.Test ')).toEqual({
      address: 'Alice.B+c@example.test',
      folded: 'alice.b+c@example.test',
      local: 'Alice.B+c',
      domain: 'example.test',
    });
  });

  it('has its domain in ASCII, whatever script it was typed in [CODE-04]', () => {
    expect(parseMailAddress('alice@bücher.example')?.address).toBe('alice@xn--bcher-kva.example');
    // Full-width letters and the ideographic full stop are the same domain to a mail program.
    expect(parseMailAddress('alice@ｅxample.test')?.folded).toBe('alice@example.test');
  });
});

describe('the rules of the installation', () => {
  const rules = {
    EmailDomainRestrictionEnabled: true,
    EmailDomainWhitelist: ['allowed.example'],
    EmailAliasRestrictionEnabled: true,
  };
  const refusalOf = (text: string, changed: Partial<typeof rules> = {}) => {
    const address = parseMailAddress(text);
    if (address === null) throw new Error(`${text} is no address`);
    return refusalByMailRules(address, { ...rules, ...changed });
  };

  it.each([
    ['user@allowed.example.evil.test', 'domain'],
    ['user@notallowed.example', 'domain'],
    ['user@sub.allowed.example', 'domain'],
    ['user@ALLOWED.example', null],
    ['user+more@allowed.example', 'alias'],
    ['us.er@allowed.example', 'alias'],
  ])('judges %s: %s [CODE-06]', (text, verdict) => {
    expect(refusalOf(text)).toBe(verdict);
  });

  it('refuses nothing while they are off', () => {
    const off = { EmailDomainRestrictionEnabled: false, EmailAliasRestrictionEnabled: false };
    expect(refusalOf('us.er+more@elsewhere.test', off)).toBeNull();
  });
});
