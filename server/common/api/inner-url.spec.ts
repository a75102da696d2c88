import { describe, expect, it } from '@jest/globals';
import { innerUrl } from './inner-url.js';

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
