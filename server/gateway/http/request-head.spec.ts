import { describe, expect, it } from '@jest/globals';
import { readRequestHead, RequestHeadReader } from './request-head.js';

const LINES = ['Host: x', 'Content-Type: application/json', 'Content-Length: 2'];
const request = (lines: readonly string[], start = 'POST /v1/chat/completions HTTP/1.1'): Buffer =>
  Buffer.from(`${[start, ...lines, '', ''].join('\r\n')}{}`, 'latin1');

describe('the head of a plain request', () => {
  it('reads names in lower case and values without blanks around them', () => {
    const bytes = request([...LINES, 'Authorization:\t Bearer sk-1 ', 'Connection: Keep-Alive', 'X-Empty:']);
    expect(readRequestHead(bytes)).toEqual({
      url: '/v1/chat/completions',
      headers: {
        host: 'x',
        'content-type': 'application/json',
        'content-length': '2',
        authorization: 'Bearer sk-1',
        connection: 'Keep-Alive',
        'x-empty': '',
      },
      headBytes: bytes.length - 2,
      bodyBytes: 2,
    });
  });

  it('keeps the query', () => {
    expect(readRequestHead(request(LINES, 'POST /v1/x?a=%20b&c HTTP/1.1'))?.url).toBe('/v1/x?a=%20b&c');
  });

  it('waits for the rest when it is cut off anywhere', () => {
    const bytes = request(LINES);
    for (let end = 0; end < bytes.length - 2; end += 1)
      expect(readRequestHead(bytes.subarray(0, end))).toBeNull();
    expect(readRequestHead(bytes.subarray(0, bytes.length - 2))).not.toBeNull();
  });
});

describe('left to Node’s server is', () => {
  it.each([
    ['another method', request(LINES, 'GET /v1/models HTTP/1.1')],
    ['another version', request(LINES, 'POST /v1/x HTTP/1.0')],
    ['a whole address in the request line', request(LINES, 'POST http://x/v1/x HTTP/1.1')],
    ['a fragment', request(LINES, 'POST /v1/x#y HTTP/1.1')],
    ['a blank in the address', request(LINES, 'POST /v1/x y HTTP/1.1')],
    ['two blanks in the request line', request(LINES, 'POST /v1/x  HTTP/1.1')],
    ['an empty line before the request', Buffer.concat([Buffer.from('\r\n'), request(LINES)])],
    ['no field at all', request([])],
    ['no host', request(LINES.slice(1))],
    ['no length', request(LINES.slice(0, 2))],
    ['two lengths, alike', request([...LINES, 'Content-Length: 2'])],
    ['two lengths, not alike', request([...LINES, 'content-length: 3'])],
    ['a list of lengths', request(['Host: x', 'Content-Length: 2, 2'])],
    ['a length with a sign', request(['Host: x', 'Content-Length: +2'])],
    ['a length in another base', request(['Host: x', 'Content-Length: 0x2'])],
    ['a length without digits', request(['Host: x', 'Content-Length: '])],
    ['a large body', request(['Host: x', 'Content-Length: 65537'])],
    ['a length beyond all numbers', request(['Host: x', 'Content-Length: 99999999999999999999'])],
    ['chunked coding', request([...LINES.slice(0, 2), 'Transfer-Encoding: chunked'])],
    ['chunked coding and a length', request([...LINES, 'Transfer-Encoding: chunked'])],
    ['a coding nobody knows', request([...LINES, 'Transfer-Encoding: xchunked'])],
    ['somebody who expects an answer first', request([...LINES, 'Expect: 100-continue'])],
    ['an upgrade', request([...LINES, 'Connection: Upgrade', 'Upgrade: websocket'])],
    ['the end of the connection', request([...LINES, 'Connection: close'])],
    ['a list of connection words', request([...LINES, 'Connection: keep-alive, X-Y'])],
    ['a host twice', request([...LINES, 'Host: y'])],
    ['a credential twice', request([...LINES, 'Authorization: a', 'authorization: b'])],
    ['a folded field', request([...LINES, 'X-Y: a', ' b'])],
    ['a blank before the colon', request([...LINES, 'X-Y : a'])],
    ['a field without a colon', request([...LINES, 'X-Y'])],
    ['a field without a name', request([...LINES, ': a'])],
    ['a line feed alone', request([...LINES, 'X-Y: a\nX-Z: b'])],
    ['a carriage return alone', request([...LINES, 'X-Y: a\rX-Z: b'])],
    ['a NUL', request([...LINES, 'X-Y: a\0b'])],
    ['a letter beyond ASCII', request([...LINES, 'X-Y: \u00e9'])],
    ['a name every object has', request([...LINES, 'constructor: a'])],
    ['a name that changes objects', request([...LINES, '__proto__: a'])],
    ['too many fields', request([...LINES, ...Array.from({ length: 98 }, (_, n) => `X-${n}: a`)])],
    ['too long a head', request([...LINES, `X-Y: ${'a'.repeat(16 * 1024)}`])],
  ])('%s', (_what, bytes) => {
    expect(readRequestHead(bytes)).toBeNull();
  });
});

describe('the heads of one connection', () => {
  const body = (length: number | string, lines = LINES): Buffer =>
    request(lines.map((line) => line.replace(/^(content-length:\s*)\d+/i, `$1${length}`)));
  const taught = (bytes = request(LINES)): RequestHeadReader => {
    const reader = new RequestHeadReader();
    for (let turn = 0; turn < 3; turn += 1) reader.read(bytes);
    return reader;
  };

  it('reads equal heads once', () => {
    const reader = taught();
    expect(reader.read(request(LINES))).toBe(reader.read(request(LINES)));
  });

  it.each([
    0,
    1,
    9,
    10,
    65_535,
    65_536,
    65_537,
    999_999,
    1_000_000,
    '007',
    '0000002',
    '2,2',
    '2 ',
    '-1',
    '+2',
    '0x2',
    '',
  ])('reads heads that differ in their length: %j', (length) => {
    const reader = taught();
    const bytes = body(length);
    expect(reader.read(bytes)).toEqual(readRequestHead(bytes));
  });

  it.each([
    ['blanks around the length', [...LINES.slice(0, 2), 'Content-Length: \t 2\t ']],
    ['the length first', ['content-length:2', ...LINES.slice(0, 2)]],
    ['a value that looks like a length', ['X-A: content-length: 7', ...LINES]],
  ])('distinguishes them by %s', (_what, lines) => {
    const reader = taught(request(lines));
    for (const length of [2, 3, 14]) {
      const bytes = body(length, lines);
      expect(reader.read(bytes)).toEqual(readRequestHead(bytes));
      expect(reader.read(bytes)?.bodyBytes).toBe(length);
    }
  });

  it('reads the same as every other reader when any byte is another one', () => {
    const bytes = request([...LINES, 'Authorization: Bearer sk-1']);
    const reader = taught(bytes);
    for (let at = 0; at < bytes.length; at += 1) {
      for (const byte of [0x0a, 0x0d, 0x20, 0x30, 0x3a, 0x41, 0x61, 0x00, 0xff]) {
        const changed = Buffer.from(bytes);
        changed[at] = byte;
        const copy = Object.assign(Object.create(RequestHeadReader.prototype) as object, reader);
        expect((copy as RequestHeadReader).read(changed)).toEqual(readRequestHead(changed));
      }
    }
  });

  it('waits for the rest of those that are cut off anywhere', () => {
    const bytes = request(LINES);
    const reader = taught();
    for (let end = 0; end < bytes.length - 2; end += 1)
      expect(reader.read(bytes.subarray(0, end))).toBeNull();
    expect(reader.read(bytes)?.bodyBytes).toBe(2);
  });

  it('does not keep them when they are large, nor when they always differ', () => {
    const large = request([...LINES, `X-A: ${'a'.repeat(3_000)}`]);
    const reader = taught(large);
    expect(reader.read(large)).not.toBe(reader.read(large));
    const restless = new RequestHeadReader();
    for (let turn = 0; turn < 10; turn += 1) restless.read(request([...LINES, `X-Turn: ${turn}`]));
    expect(restless.read(request(LINES))).not.toBe(restless.read(request(LINES)));
  });
});
