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

  it.each([
    ['messages_path', '', '/v1/messages', '/anthropic/v1/messages', '/api/coding/v1/messages'],
    ['responses_path', '/responses', '/openai/v1/responses'],
    ['gemini_path', '/v1beta', '/gemini/v1'],
  ])('takes paths of an API for %s', (member, ...paths) => {
    for (const path of paths) expect(refusalOf('settings', { [member]: path })).toBeNull();
  });

  it.each([
    [
      'messages_path',
      '"/anthropic/v1/messages"',
      'https://other.example/v1/messages',
      '//other.example/messages',
    ],
    [
      'messages_path',
      '"/anthropic/v1/messages"',
      '/a/../messages',
      '/./messages',
      '/messages?x=1',
      '/messages/',
      true,
    ],
    ['responses_path', '"/v1/responses"', '/v1/messages', 'responses', '/a b/responses', '/%2e%2e/responses'],
    ['gemini_path', '"/v1beta"', '/', '/models', `/${'a'.repeat(61)}/v1`],
  ])('refuses for %s what is no path of its API, and names an example', (member, expected, ...values) => {
    for (const value of values)
      expect(refusalOf('settings', { [member]: value })).toEqual({
        code: 'channel_document_value',
        document: 'settings',
        member,
        expected,
      });
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

  it('shortens a long name to its beginning', () => {
    expect(refusalOf('settings', { ['m'.repeat(101)]: 1 })).toMatchObject({ member: 'm'.repeat(100) });
  });

  it('keeps stored members as they are, and nothing beside them', () => {
    const stored = { old: { a: [1] }, force_format: 'yes' };
    expect(refusalOf('setting', { old: { a: [1] }, force_format: 'yes' }, stored)).toBeNull();
    expect(refusalOf('setting', { old: { a: [2] } }, stored)).toMatchObject({ member: 'old' });
    expect(refusalOf('setting', { toString: 1 }, stored)).toMatchObject({ member: 'toString' });
  });
});
