import { describe, expect, it } from '@jest/globals';
import { readResources, textOfOutputs } from './read-outputs.js';

describe('textOfOutputs', () => {
  it.each([
    [{ answer: 'b', text: 'a' }, 'a'],
    [{ answer: 'b', output: 'c' }, 'b'],
    [{ output: 'c', more: 1 }, 'c'],
    [{ summary: 'only' }, 'only'],
    [{ summary: 'x', list: [1] }, '{"summary":"x","list":[1]}'],
    [{ number: 7 }, '{"number":7}'],
    [{}, ''],
    ['plain', 'plain'],
    [null, ''],
  ])('reads %j as %j', (outputs, text) => {
    expect(textOfOutputs(outputs)).toBe(text);
  });
});

describe('readResources', () => {
  it('names a passage by its document, else by its collection', () => {
    const [first, second, third] = readResources({
      retriever_resources: [
        { document_name: 'Manual', dataset_name: 'Docs', content: 'Press it.' },
        { dataset_name: 'Docs' },
        'broken',
      ],
    });
    expect(first).toMatchObject({ title: 'Manual', quote: 'Press it.' });
    expect(second).toMatchObject({ title: 'Docs' });
    expect(third).not.toHaveProperty('title');
  });

  it('finds none where there are none', () => {
    expect(readResources({ retriever_resources: null })).toEqual([]);
  });
});
