import { describe, expect, it } from '@jest/globals';
import { checkMembers } from './channel-members.js';

const refusalOf = (...[name, document, stored]: Parameters<typeof checkMembers>): unknown => {
  try {
    checkMembers(name, document, stored);
    return null;
  } catch (error) {
    const { code, values } = error as { code: string; values: unknown };
    return { code, ...(values as object) };
  }
};

describe('checkMembers', () => {
  it('takes switches that are switches and texts that are texts, empty ones included', () => {
    const setting = { force_format: true, pass_through_body_enabled: false, system_prompt: '', proxy: 'x' };
    expect(refusalOf('setting', setting)).toBeNull();
    expect(refusalOf('settings', { azure_responses_version: '' })).toBeNull();
    expect(refusalOf('setting', {})).toBeNull();
  });

  it.each(['true', 1, null, {}])('refuses %p as a switch', (value) => {
    expect(refusalOf('setting', { force_format: value })).toEqual({
      code: 'channel_document_value',
      document: 'setting',
      member: 'force_format',
      expected: 'true | false',
    });
  });

  it.each(['constructor', '__proto__x', 'force_Format', ''])(
    'refuses the member %j, which it does not know',
    (member) => {
      expect(refusalOf('setting', { [member]: true })).toEqual({
        code: 'channel_document_member',
        document: 'setting',
        member,
      });
    },
  );

  it('tells a long name by its beginning', () => {
    expect(refusalOf('settings', { ['m'.repeat(101)]: 1 })).toMatchObject({ member: 'm'.repeat(100) });
  });

  it('leaves what is stored already as it is, and nothing beside it', () => {
    const stored = { old: { a: [1] }, force_format: 'yes' };
    expect(refusalOf('setting', { old: { a: [1] }, force_format: 'yes' }, stored)).toBeNull();
    expect(refusalOf('setting', { old: { a: [2] } }, stored)).toMatchObject({ member: 'old' });
    expect(refusalOf('setting', { toString: 1 }, stored)).toMatchObject({ member: 'toString' });
  });
});
