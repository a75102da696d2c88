import { describe, expect, it } from '@jest/globals';
import { differences } from './price-difference';

const entries = (before: string | undefined, after: string) =>
  differences(before === undefined ? {} : { ModelRatio: before }, [{ key: 'ModelRatio', value: after }])[0]
    ?.entries;

describe('differences', () => {
  it('names what came, what went and what is another, by name', () => {
    expect(entries('{"b":1,"a":2,"same":3}', '{"c":4,"a":5,"same":3}')).toEqual([
      { name: 'a', before: '2', after: '5' },
      { name: 'b', before: '1', after: null },
      { name: 'c', before: null, after: '4' },
    ]);
  });

  it('sees no change in the layout, and one in the order of a list', () => {
    expect(entries('{"a":[1,2]}', '{\n  "a": [ 1, 2 ]\n}')).toEqual([]);
    expect(entries('{"a":[1,2]}', '{"a":[2,1]}')).toEqual([{ name: 'a', before: '[1,2]', after: '[2,1]' }]);
  });

  it.each([undefined, '', 'no JSON', 'null', '7'])('takes %j for a document without entries', (text) => {
    expect(entries(text, '{"a":null}')).toEqual([{ name: 'a', before: null, after: 'null' }]);
  });

  it('keeps names like members of objects as names', () => {
    expect(entries('{}', '{"__proto__":1,"constructor":2}')).toEqual([
      { name: '__proto__', before: null, after: '1' },
      { name: 'constructor', before: null, after: '2' },
    ]);
  });
});
