import { describe, expect, it } from '@jest/globals';
import {
  innerUrl,
  isKnownButNotImplemented,
  pathOf,
  patternOf,
  queryOf,
  servedPathLike,
} from './relay-paths.js';

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

it.each([
  ['/api/v1/chat/completions', '/v1/chat/completions'],
  ['/v1/chat/completion', '/v1/chat/completions'],
  ['/v3/embeddings', '/v1/embeddings'],
  ['/v1/legacy/completions', '/v1/completions'],
  ['/v1/Image/generation', '/v1/images/generations'],
  ['/v1/unknown', undefined],
  ['/mj', undefined],
])('%s names %s', (path, served) => {
  expect(servedPathLike(path)).toBe(served);
});

describe('the address of a request', () => {
  it.each([
    ['/v1/models', '', '/v1/models'],
    ['//v1/models', '', '/v1/models'],
    ['/v1//chat///completions?next=//x', '', '/v1/chat/completions?next=//x'],
    ['/?next=//x', '', '/?next=//x'],
    ['//', '', '/'],
    ['*', '', '*'],
    ['http://h//v1', '', 'http://h//v1'],
    ['/gateway/v1/models?x=/gateway', '/gateway', '/v1/models?x=/gateway'],
    ['//gateway//v1/models', '/gateway', '/v1/models'],
    ['/gateway', '/gateway', '/'],
    ['/gateway/', '/gateway', '/'],
    ['/gateway?p=2', '/gateway', '/?p=2'],
    ['/gateways/v1', '/gateway', '/gateways/v1'],
    ['/v1/models', '/gateway', '/v1/models'],
    ['/a/b/api/status', '/a/b', '/api/status'],
  ])('%s, published under %j, is %s', (url, basePath, inner) => {
    expect(innerUrl(url, basePath)).toBe(inner);
  });
});
