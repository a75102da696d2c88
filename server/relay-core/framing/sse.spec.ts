import { describe, expect, it } from '@jest/globals';
import { MAX_SSE_EVENT_BYTES, MAX_SSE_LINE_BYTES, SseParser } from './sse.js';

interface Seen {
  readonly data: string[];
  raw: string;
}

function parse(
  chunks: readonly Buffer[],
  stopAfter = Number.POSITIVE_INFINITY,
): Seen & { isTooLarge: boolean } {
  const seen: Seen = { data: [], raw: '' };
  const parser = new SseParser({
    onEvent: (bytes, rawStart, rawEnd, data, start, end) => {
      seen.raw += bytes.toString('latin1', rawStart, rawEnd);
      if (end > start) seen.data.push(data.toString('utf8', start, end));
      return seen.data.length < stopAfter;
    },
  });
  for (const chunk of chunks) parser.push(chunk);
  parser.finish();
  return { ...seen, isTooLarge: parser.isTooLarge };
}

/** The same stream with every kind of line end; several data lines, comments, other fields, text outside ASCII. */
const LINES = [
  ': a comment',
  '',
  'data: {"a":"é漢😀"}',
  '',
  'event: message',
  'id: 7',
  'data:no space',
  'retry: 10',
  '',
  'data: first',
  'data: second',
  'data:',
  'data:  third',
  '',
  'data',
  '',
  '',
  'datax: not ours',
  '',
  'data: [DONE]',
  '',
];
const EXPECTED = ['{"a":"é漢😀"}', 'no space', 'first\nsecond\n\n third', '[DONE]'];

describe('SseParser', () => {
  it.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])('reads the same events from %s streams split at every byte [UP-05]', (_name, lineEnd) => {
    const stream = Buffer.from(LINES.join(lineEnd) + lineEnd);
    expect(parse([stream]).data).toEqual(EXPECTED);
    for (let cut = 1; cut < stream.length; cut += 1) {
      const seen = parse([stream.subarray(0, cut), stream.subarray(cut)]);
      expect(seen.data).toEqual(EXPECTED);
      expect(seen.raw).toBe(stream.toString('latin1'));
    }
    const single = Array.from(stream, (_, at) => stream.subarray(at, at + 1));
    expect(parse(single).data).toEqual(EXPECTED);
    expect(parse(single).raw).toBe(stream.toString('latin1'));
  });

  it('reads streams whose line ends change in the middle [UP-05]', () => {
    const stream = Buffer.from('data: 1\r\n\r\ndata: 2\n\ndata: 3\r\rdata: 4\n\r\ndata: 5\r\n\n');
    for (let cut = 1; cut < stream.length; cut += 1) {
      expect(parse([stream.subarray(0, cut), stream.subarray(cut)]).data).toEqual(['1', '2', '3', '4', '5']);
    }
  });

  it('drops a byte-order mark, whole or split', () => {
    const stream = Buffer.from('\ufeffdata: 1\n\n');
    for (let cut = 0; cut < stream.length; cut += 1) {
      expect(parse([stream.subarray(0, cut), stream.subarray(cut)]).data).toEqual(['1']);
    }
  });

  it('reads a last event without its blank line', () => {
    expect(parse([Buffer.from('data: 1\n\ndata: 2')]).data).toEqual(['1', '2']);
    expect(parse([Buffer.from('data: 1\n\ndata: 2\n')]).data).toEqual(['1', '2']);
  });

  it('reads nothing after it was stopped', () => {
    expect(parse([Buffer.from('data: 1\n\ndata: 2\n\n'), Buffer.from('data: 3\n\n')], 1).data).toEqual(['1']);
  });

  it('hands out slices of the chunk, without copies, when an event lies whole in it', () => {
    const chunk = Buffer.from('data: 1\n\ndata: 2\n\n');
    const owners: Buffer[] = [];
    const parser = new SseParser({
      onEvent: (bytes, _rawStart, _rawEnd, data) => {
        owners.push(bytes, data);
        return true;
      },
    });
    parser.push(chunk);
    expect(owners.every((owner) => owner === chunk)).toBe(true);
    expect(owners).toHaveLength(4);
  });

  it('gives up on a line or an event without end, holding no more than the limit [UP-04]', () => {
    const part = Buffer.alloc(1024 * 1024, 0x61);
    const endless = Array.from({ length: MAX_SSE_LINE_BYTES / part.length + 2 }, () => part);
    expect(parse(endless).isTooLarge).toBe(true);
    const line = Buffer.concat([Buffer.from('data: '), part, Buffer.from('\n')]);
    const manyLines = Array.from({ length: MAX_SSE_EVENT_BYTES / part.length + 2 }, () => line);
    expect(parse(manyLines)).toMatchObject({ isTooLarge: true, data: [] });
  });
});
