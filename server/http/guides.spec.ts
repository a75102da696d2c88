import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fillGuide, llmsText } from './guides.js';

const ROOT = join(import.meta.dirname, '../..');
const NAMES = ['clients', 'endpoints', 'errors', 'limits', 'money', 'start'];
const guide = (language: string, name: string): string =>
  readFileSync(join(ROOT, 'console/guides', language, `${name}.md`), 'utf8');
/** Fenced code and codes of tables: what must be the same in every language, but for the greeting. */
const codeOf = (text: string): string[] =>
  [...text.matchAll(/```[\s\S]*?```|`[^`\n]+`/g)].map(([code]) => code.replace(/Hello|你好/g, '')).toSorted();

describe('the guides', () => {
  it.each(['en', 'zh'])('contain every guide in %s, with known values only', (language) => {
    expect(readdirSync(join(ROOT, 'console/guides', language)).toSorted()).toEqual(
      NAMES.map((name) => `${name}.md`),
    );
    for (const name of NAMES) {
      const text = guide(language, name);
      expect(text).toMatch(/^# \S/);
      const values = new Set(Array.from(text.matchAll(/\{\{(\w+)\}\}/g), ([, value]) => value));
      expect([...values].filter((value) => !['address', 'key', 'model'].includes(value ?? ''))).toEqual([]);
    }
  });

  it.each(NAMES)('hold the same examples in both languages: %s', (name) => {
    expect(codeOf(guide('zh', name))).toEqual(codeOf(guide('en', name)));
  });

  it('name only error codes the relay has, with their status', () => {
    const reference = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8');
    const rows = [...guide('en', 'errors').matchAll(/^\| (\d+) \| `(\w+)` \|/gm)];
    expect(rows.length).toBeGreaterThan(10);
    for (const [, status, code] of rows)
      expect(reference).toMatch(new RegExp(`\\| ${status} \\| \`\\w+\` \\| \`${code}\` \\|`));
  });

  it('link every guide from llms.txt', () => {
    const text = llmsText('Acme', 'https://ai.example/gateway');
    expect(text).toMatch(/^# Acme\n/);
    for (const name of NAMES) expect(text).toContain(`(https://ai.example/gateway/docs/${name}.md)`);
  });
});

describe('fillGuide', () => {
  it('fills in known values and leaves others', () => {
    expect(fillGuide('{{a}} {{b}}', { a: '1' })).toBe('1 {{b}}');
  });
});
