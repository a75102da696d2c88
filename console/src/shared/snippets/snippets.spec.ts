import { describe, expect, it } from '@jest/globals';
import { firstCall, SNIPPET_LANGUAGES } from './snippets';

const NASTY = `it's "a" \\ model`;
const call = (language: (typeof SNIPPET_LANGUAGES)[number]['id'], model = 'gpt-4o') =>
  firstCall(language, { address: 'https://gateway.test', keyText: 'sk-key', model });

describe('firstCall', () => {
  it.each(SNIPPET_LANGUAGES.map(({ id }) => id))('names address, key and model in %s', (language) => {
    for (const part of ['https://gateway.test/v1', 'sk-key', '"gpt-4o"'])
      expect(call(language)).toContain(part);
  });

  it('keeps a quotation mark of a name inside the body of a shell command', () => {
    const body = /-d '(.*)'$/s.exec(call('curl', NASTY))?.[1] ?? '';
    // Between the quotes of the shell stands no quote that is not written as '\\''.
    expect(body.replaceAll(`'\\''`, '')).not.toContain("'");
    expect((JSON.parse(body.replaceAll(`'\\''`, "'")) as { model: string }).model).toBe(NASTY);
  });

  it('writes names as texts that programs read back', () => {
    for (const language of ['python', 'node'] as const) {
      const text = /model[=:] ?(".*"),$/m.exec(call(language, NASTY))?.[1] ?? '';
      expect(JSON.parse(text)).toBe(NASTY);
    }
  });
});
