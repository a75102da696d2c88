import { describe, expect, it } from '@jest/globals';
import { fillGuide, guideParts } from './guide-text';

describe('guideParts', () => {
  it('keeps text, tables and code in their order, and code as it was written', () => {
    const parts = guideParts(
      '# Title\n\nOne `word`.\n\n```sh\necho "<b>"\n```\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\nEnd.',
    );
    expect(parts.map(({ kind }) => kind)).toEqual(['text', 'code', 'table', 'text']);
    expect(parts[0]).toMatchObject({ html: expect.stringContaining('<code>word</code>') });
    expect(parts[1]).toEqual({ kind: 'code', text: 'echo "<b>"', language: 'sh' });
    expect(parts[2]).toMatchObject({ html: expect.stringContaining('<td>2</td>') });
  });
});

describe('fillGuide', () => {
  const text = 'Bearer YOUR_API_KEY, YOUR_MODEL, YOUR_API_KEY';
  it('fills in every place', () => {
    expect(fillGuide(text, { key: 'sk-1', model: 'm' })).toBe('Bearer sk-1, m, sk-1');
  });
  it('leaves the placeholder of a value that is not known', () => {
    expect(fillGuide(text, { model: 'm' })).toBe('Bearer YOUR_API_KEY, m, YOUR_API_KEY');
  });
});
