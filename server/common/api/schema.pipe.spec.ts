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

  it('describes the expected form at the place of the fault', async () => {
    const schema = z.object({ a: z.int() });
    await expect(pipe.transform({ a: '7' }, { type: 'body', data: undefined, schema })).rejects.toMatchObject(
      {
        values: { field: 'a', problem: ' (must be a number)' },
      },
    );
  });

  it('ignores unknown query parameters, unless the query is signed as a whole', async () => {
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
