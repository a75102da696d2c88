import { describe, expect, it } from '@jest/globals';
import { isKnownButNotImplemented, pathOf, patternOf, queryOf } from './relay-paths.js';

describe('relay paths', () => {
  it('recognizes the addresses it does not offer', () => {
    for (const path of [
      '/v1/files',
      '/v1/files/abc/content',
      '/v1/videos',
      '/v1beta/models/x:predictLongRunning',
    ]) {
      expect(isKnownButNotImplemented(path)).toBe(true);
    }
    for (const path of ['/v1/unknown', '/v1/filesystem', '/v1', '/v1/chat/completions/x', '/mj/unknown']) {
      expect(isKnownButNotImplemented(path)).toBe(false);
    }
  });

  it('drops the query and one trailing slash', () => {
    expect(pathOf('/v1/models/?limit=2')).toBe('/v1/models');
    expect(pathOf('/')).toBe('/');
  });

  it.each([
    ['/v1/models//', '/v1/models/'],
    ['?x', ''],
    ['/a?b/', '/a'],
    ['', ''],
  ])('takes of %j the path %j', (url, path) => {
    expect(pathOf(url)).toBe(path);
  });

  it.each([
    ['/a', ''],
    ['/a?', ''],
    ['/a?b=1?c', 'b=1?c'],
  ])('takes of %j the query %j', (url, query) => {
    expect(queryOf(url)).toBe(query);
  });
});

describe('patternOf', () => {
  it.each([
    ['/v1/models', '/v1/models', []],
    ['/v1/models/:model', '/v1/models/a.b', ['a.b']],
    ['/v1/models/:model', '/v1/models/a/b', null],
    ['/v1/models/:model(^.+)', '/v1/models/a/b', ['a/b']],
    ['/v1/models/:model::generateContent', '/v1/models/m:generateContent', ['m']],
    ['/v1.0/models', '/v1x0/models', null],
    ['/v1/models', '/v1/models/', null],
    ['/v1/:a/x/:b', '/v1/1/x/2', ['1', '2']],
    ['/v1/:a', '/v1/', null],
  ])('reads %s against %s as %j', (pattern, path, parts) => {
    expect(patternOf(pattern).exec(path)?.slice(1) ?? null).toEqual(parts);
  });
});
