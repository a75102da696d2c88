import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { createSchemaPipe, SIGNED_QUERY } from './schema.pipe.js';

const pipe = createSchemaPipe();
const fieldOf =
  (type: 'body' | 'query' | 'param', data: string | undefined, schema: z.ZodType) => (value: unknown) =>
    pipe.transform(value, { type, data, schema }).then(
      (result) => ({ result }),
      (error: { code: string; values: { field: string } }) => [error.code, error.values.field],
    );

describe('validation of what is sent', () => {
  it('names the wrong field, or where the wrong value stands', async () => {
    const body = fieldOf('body', undefined, z.object({ user: z.object({ id: z.int() }) }));
    expect(await body({ user: { id: 'x' } })).toEqual(['malformed_input', 'user.id']);
    expect(await body([])).toEqual(['malformed_input', 'body']);
    const strict = fieldOf('query', undefined, z.object({ in: z.strictObject({ a: z.string() }) }));
    expect(await strict({ in: { a: '', b: 1, c: 2 } })).toEqual(['malformed_input', 'in.b']);
    const id = fieldOf('param', 'id', z.string().regex(/^\d+$/));
    expect(await id('abc')).toEqual(['malformed_input', 'id']);
    expect(await id('12')).toEqual({ result: '12' });
  });

  it('says what is right in the place of what is wrong', async () => {
    const problemOf = (schema: z.ZodType, value: unknown) =>
      pipe.transform({ a: value }, { type: 'body', data: undefined, schema: z.object({ a: schema }) }).then(
        () => 'taken',
        (error: { values: { problem: string } }) => error.values.problem,
      );
    expect(await problemOf(z.int(), '7')).toBe(' (must be a number)');
    expect(await problemOf(z.int(), 1.5)).toBe(' (must be a whole number)');
    expect(await problemOf(z.number().min(1), 0)).toBe(' (must be at least 1)');
    expect(await problemOf(z.number().positive(), 0)).toBe(' (must be above 0)');
    expect(await problemOf(z.string().max(3), 'four')).toBe(' (must have at most 3 characters)');
    expect(await problemOf(z.array(z.int()).min(1), [])).toBe(' (must have at least 1 entries)');
    expect(await problemOf(z.enum(['x', 'y']), 'z')).toBe(' (must be one of x, y)');
    expect(await problemOf(z.union([z.string(), z.array(z.string())]), 4)).toBe(
      ' (must be a text or a list)',
    );
    expect(await problemOf(z.string().regex(/^1$/, 'must be a one'), '2')).toBe(' (must be a one)');
    expect(await problemOf(z.string().regex(/^1$/), '2')).toBe('');
    expect(await problemOf(z.string(), undefined)).toBe(' (must be a text)');
  });

  it('ignores parameters of a query that nobody knows, unless the query is signed as a whole', async () => {
    const schema = z.strictObject({ a: z.string() });
    const query = fieldOf('query', undefined, schema);
    expect(await query({ a: '1', b: '2', __proto__x: '3' })).toEqual({ result: { a: '1' } });
    expect(await query({ b: '2' })).toEqual(['malformed_input', 'a']);
    const signed = fieldOf('query', undefined, schema.meta(SIGNED_QUERY));
    expect(await signed({ a: '1', b: '2' })).toEqual(['malformed_input', 'b']);
    const body = fieldOf('body', undefined, schema);
    expect(await body({ a: '1', b: '2' })).toEqual(['malformed_input', 'b']);
  });
});
