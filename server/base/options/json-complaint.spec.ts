import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { complaintOf, describePrecisionLoss, placeOf, placeText } from './json-complaint.js';

const schema = z.object({
  a: z.number().optional(),
  list: z.array(z.object({ name: z.string() })).default([]),
});
const complaint = (text: string, faultOf?: (value: z.infer<typeof schema>) => string | undefined) =>
  complaintOf(text, { schema, range: 'a JSON object', faultOf });

describe('complaintOf', () => {
  it('has none about a document whose every member is read once', () => {
    expect(complaint('{"a":1,"list":[{"name":"x"}]}')).toBeUndefined();
  });

  it.each([
    ['{"b":1}', 'a JSON object; nobody reads b'],
    ['{"list":[{"name":"x","more":2}]}', 'a JSON object; nobody reads list.0.more'],
    ['{"":1}', 'a JSON object; nobody reads ""'],
    ['{"a":1,"a":2}', 'a JSON object, with each name once (see a)'],
  ])('says of %s: %s', (text, words) => {
    expect(complaint(text)).toBe(words);
  });

  it('reports digits that are lost', () => {
    expect(complaint('{"a":0.12345678901234567890}')).toMatch(
      /^a JSON object, with no more digits than are kept: 0\.1234/,
    );
  });

  it('checks the value last', () => {
    expect(complaint('{"a":1}', ({ a }) => (a === 1 ? 'a' : undefined))).toBe('a JSON object (see a)');
    expect(complaint('{"b":1}', () => 'a')).toBe('a JSON object; nobody reads b');
  });
});

describe('placeOf', () => {
  const placeIn = (form: z.ZodType, value: unknown) => placeOf(form.safeParse(value).error?.issues ?? []);

  it('names an unknown member, and the place of a wrong value', () => {
    expect(placeIn(z.strictObject({ a: z.number() }), { a: 1, b: 2 })).toEqual(['b']);
    expect(placeIn(z.object({ a: z.array(z.number()) }), { a: [1, 'x'] })).toEqual(['a', 1]);
    expect(placeIn(z.number(), 1)).toEqual([]);
  });

  it('checks the form of a union that fits best', () => {
    const form = z.union([z.string(), z.object({ a: z.object({ b: z.number() }) })]);
    expect(placeIn(form, { a: { b: 'x' } })).toEqual(['a', 'b']);
  });
});

describe('places and digits in words', () => {
  it('keeps them short', () => {
    expect(placeText(['a', 0, ''])).toBe('a.0.""');
    expect(placeText(['x'.repeat(500)])).toHaveLength(100);
    expect(describePrecisionLoss({ path: [], written: '1'.repeat(60), kept: '1e60' } as never)).toBe(
      `with no more digits than are kept: ${'1'.repeat(40)} would become 1e60`,
    );
  });
});
