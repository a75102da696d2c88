import { describe, expect, it } from '@jest/globals';
import { NamedSseParser } from './open-framer.js';

/** Names and data of the events of a stream that comes in these pieces. */
function eventsOf(...pieces: readonly string[]): readonly (readonly [string, string])[] {
  const events: (readonly [string, string])[] = [];
  const parser = new NamedSseParser({
    onEvent: (_bytes, _rawStart, _rawEnd, data, start, end, name) => {
      events.push([name, data.toString('utf8', start, end)]);
      return true;
    },
  });
  for (const piece of pieces) parser.push(Buffer.from(piece));
  parser.finish();
  return events;
}

const STREAM =
  'event: first\ndata: {"a":1}\n\n: comment\n\ndata: unnamed\n\nevent:second\r\nevent: last\r\ndata: 名\r\n\r\nevent:\ndata: x\n\n';
const EVENTS = [
  ['first', '{"a":1}'],
  // A comment is passed on like any block.
  ['', ''],
  ['', 'unnamed'],
  ['last', '名'],
  ['', 'x'],
];

describe('NamedSseParser', () => {
  it('gives each event its last name, wherever the stream is cut', () => {
    expect(eventsOf(STREAM)).toEqual(EVENTS);
    for (let cut = 1; cut < STREAM.length; cut += 1)
      expect(eventsOf(STREAM.slice(0, cut), STREAM.slice(cut))).toEqual(EVENTS);
  });

  it('takes only one blank off a name, and no word of the data for one', () => {
    expect(eventsOf('event:  two blanks\ndata: event: none\ndata: b\n\n')).toEqual([
      [' two blanks', 'event: none\nb'],
    ]);
    expect(eventsOf('events: none\ndata: x\n\n')).toEqual([['', 'x']]);
  });

  it('stops when the reader has enough', () => {
    let count = 0;
    const parser = new NamedSseParser({
      onEvent: () => {
        count += 1;
        return false;
      },
    });
    parser.push(Buffer.from(STREAM));
    expect([count, parser.isTooLarge, parser.isBroken]).toEqual([1, false, false]);
  });
});
