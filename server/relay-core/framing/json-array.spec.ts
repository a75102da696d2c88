import { describe, expect, it } from '@jest/globals';
import { JsonArrayParser, MAX_JSON_ELEMENT_BYTES } from './json-array.js';

function read(...chunks: readonly Buffer[]): {
  readonly events: readonly string[];
  readonly parser: JsonArrayParser;
  readonly raw: string;
} {
  const events: string[] = [];
  let raw = '';
  const parser = new JsonArrayParser({
    onEvent: (bytes, rawStart, rawEnd, data, start, end) => {
      events.push(data.toString('utf8', start, end));
      raw += bytes.toString('utf8', rawStart, rawEnd);
      return true;
    },
  });
  for (const chunk of chunks) parser.push(chunk);
  parser.finish();
  return { events, parser, raw };
}

const STREAM = Buffer.from('[{"a":"é,]}\\""}\r\n,\n {"b":[{"c":1},[]]}, {}\n]\n');
const EVENTS = ['{"a":"é,]}\\""}', '{"b":[{"c":1},[]]}', '{}', ']'];

describe('JsonArrayParser', () => {
  it('gives the elements of an array', () => {
    expect(read(STREAM).events).toEqual(EVENTS);
  });

  it('gives the same events wherever the stream is cut [UP-05]', () => {
    for (let at = 0; at <= STREAM.length; at += 1) {
      const { events, raw } = read(STREAM.subarray(0, at), STREAM.subarray(at));
      expect(events).toEqual(EVENTS);
      // Frames one after the other are the array again.
      expect(raw).toBe(STREAM.toString().trimEnd());
    }
  });

  it('gives the same events byte by byte', () => {
    expect(read(...[...STREAM].map((byte) => Buffer.from([byte]))).events).toEqual(EVENTS);
  });

  it('takes an object without an array as one event: so failures come', () => {
    const { events, parser } = read(Buffer.from('{"error":{"code":429}}\n'));
    expect(events).toEqual(['{"error":{"code":429}}']);
    expect(parser.isBroken).toBe(false);
  });

  it.each(['<html>', '"text"', '[{}] {}', ']', ',{}', '[[{}]]'])('calls %s broken', (text) => {
    expect(read(Buffer.from(text)).parser.isBroken).toBe(true);
  });

  it('calls an element that never ends broken, and gives no event for it', () => {
    const { events, parser } = read(Buffer.from('[{"a":1},{"b":'));
    expect(events).toEqual(['{"a":1}']);
    expect(parser.isBroken).toBe(true);
  });

  it('stops at an element that is too large [UP-04]', () => {
    const part = Buffer.alloc(MAX_JSON_ELEMENT_BYTES / 2, 0x20);
    const { events, parser } = read(Buffer.from('[{'), part, part, Buffer.from('},{}]'));
    expect(parser.isTooLarge).toBe(true);
    expect(events).toEqual([]);
  });

  it('gives nothing more when the listener stops', () => {
    const events: string[] = [];
    const parser = new JsonArrayParser({
      onEvent: (_bytes, _rawStart, _rawEnd, data, start, end) => {
        events.push(data.toString('utf8', start, end));
        return false;
      },
    });
    parser.push(STREAM);
    expect(events).toEqual([EVENTS[0]]);
  });
});
