import { describe, expect, it } from '@jest/globals';
import { CODE_LANGUAGES, codeOfRequest } from './code-of-request';

const BODY = {
  model: 'gpt-4o',
  group: 'vip',
  stream: true,
  max_tokens: 0,
  temperature: 0.5,
  messages: [{ role: 'user', content: `it's "a" \\ question` }],
  tools: [{ type: 'function', function: { name: 'f', strict: true, parameters: null } }],
};
const code = (language: (typeof CODE_LANGUAGES)[number]['id'], body: Record<string, unknown> = BODY) =>
  codeOfRequest(language, { address: 'https://gateway.test', keyText: 'sk-KEY', body });

describe('codeOfRequest', () => {
  it.each(CODE_LANGUAGES.map(({ id }) => id))(
    'names address, key and model in %s, and no group',
    (language) => {
      for (const part of ['https://gateway.test/v1', 'sk-KEY', '"gpt-4o"'])
        expect(code(language)).toContain(part);
      expect(code(language)).not.toContain('vip');
    },
  );

  it('writes a body a shell hands over unchanged', () => {
    const body = /-d '(.*)'$/s.exec(code('curl'))?.[1] ?? '';
    expect(body.replaceAll(`'\\''`, '')).not.toContain("'");
    const { group: _group, max_tokens: _none, ...sent } = BODY;
    expect(JSON.parse(body.replaceAll(`'\\''`, "'"))).toEqual(sent);
  });

  it('writes literals of Python', () => {
    expect(code('python')).toContain('"strict": True');
    expect(code('python')).toContain('"parameters": None');
    expect(code('python')).toContain('temperature=0.5');
  });

  it('sends a limit of tokens, and leaves "no limit" out', () => {
    expect(code('node')).not.toContain('max_tokens');
    expect(code('node', { ...BODY, max_tokens: 20 })).toContain('"max_tokens": 20');
  });
});
