import { describe, expect, it } from '@jest/globals';
import { aRoute } from '../../../../test/support/memory-ports.js';
import { documentOf, textOf } from '../../formats/shared/fields/json-fields.js';
import { codedFailures, codeOf, statusTable } from './coded-failures.js';

const STATUSES = statusTable([
  [401, '10005 11200'],
  [429, '7'],
]);
const failures = codedFailures({
  read: (document) => ({
    code: codeOf(documentOf(document)['no']),
    message: textOf(documentOf(document)['words']),
  }),
  statusOf: (code) => STATUSES.get(code),
});
const route = aRoute({ credential: 'sk-secret-of-channel' });
const reply = (status: number, body: string) => ({ status, headers: {}, body: Buffer.from(body) });

describe('codedFailures', () => {
  it.each([
    [{ no: 10_005, words: 'x' }, 'upstream-key-refused', '10005'],
    [{ no: '7', words: 'slow down' }, 'upstream-rate-limited', '7'],
    [{ no: 99, words: 'x' }, 'upstream-overloaded', '99'],
    [{ no: null }, 'upstream-overloaded', undefined],
    [null, 'upstream-overloaded', undefined],
  ])('reads %j inside of a success as %s', (document, kind, code) => {
    const error = failures.readErrorDocument(document, route);
    expect([error.kind, 'vendorCode' in error ? error.vendorCode : undefined]).toEqual([kind, code]);
  });

  it('uses the status of a reply that has one, and keeps code and message', () => {
    expect(failures.readError(reply(400, '{"no":7,"words":"no such thing"}'), route)).toMatchObject({
      kind: 'upstream-request-rejected',
      upstreamStatus: 400,
      vendorCode: '7',
      message: 'no such thing',
    });
  });

  it.each(['<html><body>Bad gateway</body></html>', '{"other":"form"}', ''])(
    'reads %j as a reply of no form',
    (body) => {
      expect(failures.readError(reply(502, body), route)).toMatchObject({
        kind: 'upstream-overloaded',
        upstreamStatus: 502,
      });
    },
  );

  it('cuts the key out of the sentence', () => {
    const document = { no: 99, words: 'bad sk-secret-of-channel here' };
    expect(failures.readErrorDocument(document, route).message).toBe('bad *** here');
  });
});

describe('codeOf', () => {
  it.each([
    [0, '0'],
    ['a1', 'a1'],
    ['', undefined],
    [null, undefined],
    [{}, undefined],
  ])('reads %j as %p', (value, code) => {
    expect(codeOf(value)).toBe(code);
  });
});
