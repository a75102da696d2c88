import { describe, expect, it } from '@jest/globals';
import { parseExact } from '../../../framing/exact-json.js';
import { deletePath, type JsonObject, parsePath, readPath, writePath } from './body-path.js';

const pathOf = (text: string) => parsePath(text) ?? [];

describe('parsePath', () => {
  it.each([
    '',
    '.',
    'a..b',
    'a.',
    '__proto__',
    'a.constructor',
    'prototype.a',
    Array.from({ length: 17 }, () => 'a').join('.'),
    'a'.repeat(501),
  ])('refuses %j', (text) => {
    expect(parsePath(text)).toBeUndefined();
  });

  it.each([
    ['a', ['a']],
    ['messages.0.内容', ['messages', '0', '内容']],
    [Array.from({ length: 16 }, () => 'a').join('.'), Array.from({ length: 16 }, () => 'a')],
  ])('reads %j', (text, path) => {
    expect(parsePath(text)).toEqual(path);
  });
});

describe('readPath', () => {
  const body = { list: [{ a: 1 }, { a: 2 }], none: null, text: 'abc' };

  it.each([
    ['list.0.a', 1],
    ['list.-1.a', 2],
    ['list.2.a', undefined],
    ['list.-3.a', undefined],
    ['list.length', undefined],
    ['list.1e0.a', undefined],
    ['list.0000001.a', undefined],
    ['none', null],
    ['none.a', undefined],
    ['text.0', undefined],
    ['toString', undefined],
  ])('finds at %s: %p', (path, value) => {
    expect(readPath(body, pathOf(path))).toBe(value);
  });

  it('finds nothing inside of a number of more digits than JavaScript holds', () => {
    expect(readPath(parseExact('{"seed":12345678901234567890}'), ['seed', 'rawJSON'])).toBeUndefined();
  });
});

describe('writePath', () => {
  it.each<[object, string, object]>([
    [{}, 'a.b.c', { a: { b: { c: 9 } } }],
    [{ a: [1, 2] }, 'a.-1', { a: [1, 9] }],
    [{ a: [1] }, 'a.1', { a: [1, 9] }],
    [{ a: [{ b: 1 }] }, 'a.0.b', { a: [{ b: 9 }] }],
    [{ a: { b: 1 } }, 'a', { a: 9 }],
  ])('writes into %j at %s', (body, path, after) => {
    expect(writePath(body as JsonObject, pathOf(path), 9)).toBe(true);
    expect(body).toEqual(after);
  });

  it.each<[object, string]>([
    [{ a: [1] }, 'a.2'],
    [{ a: [1] }, 'a.1.b'],
    [{ a: [1] }, 'a.b'],
    [{ a: 'text' }, 'a.b'],
    [{ a: null }, 'a.b'],
  ])('changes nothing in %j at %s', (body, path) => {
    const before = structuredClone(body);
    expect(writePath(body as JsonObject, pathOf(path), 9)).toBe(false);
    expect(body).toEqual(before);
  });
});

describe('deletePath', () => {
  it.each<[object, string, boolean, object]>([
    [{ a: 1, b: 2 }, 'a', true, { b: 2 }],
    [{ a: [1, 2, 3] }, 'a.-2', true, { a: [1, 3] }],
    [{ a: [1] }, 'a.1', false, { a: [1] }],
    [{ a: { b: null } }, 'a.b', true, { a: {} }],
    [{ a: 'text' }, 'a.length', false, { a: 'text' }],
    [{}, 'valueOf', false, {}],
  ])('takes out of %j at %s: %p', (body, path, isThere, after) => {
    expect(deletePath(body as JsonObject, pathOf(path))).toBe(isThere);
    expect(body).toEqual(after);
  });
});
