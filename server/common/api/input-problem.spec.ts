import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { inputProblem } from './schema.pipe.js';

const issuesOf = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues ?? [];
const problemOf = (schema: z.ZodType, value: unknown): string => inputProblem(issuesOf(schema, value)[0]);

describe('inputProblem', () => {
  it.each([
    [z.string(), 1, ' (must be a text)'],
    [z.number(), null, ' (must be a number)'],
    [z.boolean(), 'yes', ' (must be true or false)'],
    [z.array(z.number()), {}, ' (must be a list)'],
    [z.record(z.string(), z.number()), [], ' (must be an object)'],
    [z.enum(['a', 'b']), 'c', ' (must be one of a, b)'],
    [z.enum(['', 'a']), 'c', ' (must be one of "", a)'],
    [z.literal(7), 8, ' (must be 7)'],
    [z.int().min(1), 0, ' (must be at least 1)'],
    [z.number().gt(0), 0, ' (must be above 0)'],
    [z.number().lt(1), 1, ' (must be below 1)'],
    [z.bigint().max(9_007_199_254_740_993n), 9_007_199_254_740_994n, ' (must be at most 9007199254740993)'],
    [z.string().min(1), '', ' (must have at least 1 character)'],
    [z.string().max(2), '三个字', ' (must have at most 2 characters)'],
    [z.array(z.number()).max(1), [1, 2], ' (must have at most 1 entry)'],
    [z.strictObject({}), { a: 1 }, ' (nobody reads it here)'],
    [z.union([z.string(), z.number(), z.string().min(2)]), null, ' (must be a text or a number)'],
    [z.string().refine(() => false, 'must be even'), 'x', ' (must be even)'],
    [z.union([z.string().refine(() => false, 'must be even'), z.number()]), 'x', ' (must be even)'],
  ])('describes the expected form: %#', (schema, value, words) => {
    expect(problemOf(schema, value)).toBe(words);
  });

  it('omits long enums, patterns and unknown rules from the message', () => {
    expect(problemOf(z.enum(Array.from({ length: 13 }, (_, index) => `v${index}`)), 'x')).toBe('');
    expect(problemOf(z.string().regex(/^secret$/), 'x')).toBe('');
    expect(inputProblem(undefined)).toBe('');
    expect(inputProblem({ code: 'invalid_type', expected: 'constructor', message: '' })).toBe('');
    expect(inputProblem({ code: 'too_small', minimum: 'x', message: '' })).toBe('');
    expect(inputProblem({ code: 'invalid_union', errors: null, message: '' })).toBe('');
  });
});
