import { describe, expect, it } from '@jest/globals';
import type { RequestHeaders } from './dialect.js';
import { findKey } from './find-key.js';

const keyOf = (headers: RequestHeaders, inQuery?: readonly string[]): string => {
  const found = findKey(headers, {
    header: 'x-api-key',
    missing: 'key-missing-openai',
    ...(inQuery === undefined ? {} : { inQuery }),
  });
  return found.ok ? found.value : found.error.kind;
};

describe('findKey', () => {
  it.each([
    ['Bearer sk-1', 'sk-1'],
    ['bearer   sk-1', 'sk-1'],
    [' Bearer\tsk-1 ', 'sk-1'],
    [`Bearer ${'x'.repeat(500)}`, 'x'.repeat(500)],
    ['Basic sk-1', 'unauthenticated'],
    ['Bearer', 'unauthenticated'],
    ['Bearer a b', 'unauthenticated'],
    ['sk-1', 'unauthenticated'],
    [' ', 'unauthenticated'],
    ['', 'unauthenticated'],
  ])('reads %j as %j', (authorization, key) => {
    expect(keyOf({ authorization })).toBe(key);
  });

  it.each<[RequestHeaders, readonly string[], string]>([
    [{}, [], 'unauthenticated'],
    [{ 'x-api-key': ' ' }, [''], 'unauthenticated'],
    [{ 'x-api-key': ['a', 'a'] }, [], 'unauthenticated'],
    [{ authorization: ['Bearer a'] }, ['a'], 'unauthenticated'],
    [{ 'x-api-key': 'a' }, ['b'], 'unauthenticated'],
    [{}, ['a', 'b'], 'unauthenticated'],
    [{ 'x-api-key': 'a', authorization: 'Basic a' }, [], 'unauthenticated'],
    [{ 'x-api-key': 'a', authorization: 'Bearer A' }, [], 'unauthenticated'],
    [{ 'x-api-key': ' a ', authorization: 'Bearer a' }, ['a', 'a', ''], 'a'],
    [{ 'x-api-key': 'a', authorization: '' }, [], 'a'],
    [{ 'x-goog-api-key': 'b' }, ['a'], 'a'],
  ])('finds in %j and the query %j %s', (headers, inQuery, key) => {
    expect(keyOf(headers, inQuery)).toBe(key);
  });
});
