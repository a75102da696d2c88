import { describe, expect, it } from '@jest/globals';
import { checkBodyHeaders, contentLengthOf } from './request-checks.js';

describe('checkBodyHeaders', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/vnd.api+json',
  ])('takes content type %s', (type) => {
    expect(checkBodyHeaders({ 'content-type': type })).toBeNull();
  });

  it.each([
    undefined,
    '',
    ' application/json',
    'application/json\tx',
    'application/json x',
    'application/json, text/plain',
    'application/jsonp',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/json;charset="UTF-16LE"',
    'application/json; charset=utf-8; charset=utf-32',
  ])('refuses content type %j [HTTP-06]', (type) => {
    expect(checkBodyHeaders({ 'content-type': type })?.kind).toBe('unsupported-media');
  });

  it.each(['compress', 'exi', 'gzip, br'])('refuses content encoding %s', (encoding) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
    expect(checkBodyHeaders(headers)?.kind).toBe('unsupported-media');
  });

  it('takes the identity encoding', () => {
    expect(
      checkBodyHeaders({ 'content-type': 'application/json', 'content-encoding': 'Identity' }),
    ).toBeNull();
  });
});

describe('contentLengthOf', () => {
  it('reads plain numbers only', () => {
    const lengths = ['12', '0', undefined, '-1', '1e3', '12, 12', '99999999999999999999'];
    expect(lengths.map((text) => contentLengthOf({ 'content-length': text }))).toEqual([
      12,
      0,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
