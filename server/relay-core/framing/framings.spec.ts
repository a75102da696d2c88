import { describe, expect, it } from '@jest/globals';
import { EventStreamCodec, type MessageHeaders } from '@smithy/eventstream-codec';
import { AwsEventStreamParser, MAX_AWS_FRAME_BYTES } from './aws-event-stream.js';
import type { Framing, FrameSink } from './framer.js';
import { JsonLinesParser, MAX_JSON_LINE_BYTES } from './json-lines.js';
import { openFramer } from './open-framer.js';

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes).toString('utf8'),
  (text) => Buffer.from(text),
);

/** A frame as AWS's own package writes it. */
function frame(headers: Readonly<Record<string, string>>, payload: string): Buffer {
  const typed: MessageHeaders = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, { type: 'string' as const, value }]),
  );
  return Buffer.from(codec.encode({ headers: typed, body: Buffer.from(payload) }));
}

const event = (type: string, payload: unknown): Buffer =>
  frame(
    { ':event-type': type, ':content-type': 'application/json', ':message-type': 'event' },
    JSON.stringify(payload),
  );

class Recorder implements FrameSink {
  readonly events: (readonly [string, string])[] = [];
  readonly raw: Buffer[] = [];
  stopAfter = Number.MAX_SAFE_INTEGER;

  onEvent(
    bytes: Buffer,
    rawStart: number,
    rawEnd: number,
    data: Buffer,
    dataStart: number,
    dataEnd: number,
    name: string,
  ): boolean {
    this.events.push([name, data.toString('utf8', dataStart, dataEnd)]);
    this.raw.push(Buffer.from(bytes.subarray(rawStart, rawEnd)));
    return this.events.length < this.stopAfter;
  }
}

function read(framing: Framing, pieces: readonly Buffer[]): { recorder: Recorder; isBroken: boolean } {
  const recorder = new Recorder();
  const framer = openFramer(framing, recorder);
  for (const piece of pieces) framer.push(piece);
  framer.finish();
  return { recorder, isBroken: framer.isBroken };
}

const STREAM = Buffer.concat([
  event('messageStart', { role: 'assistant' }),
  event('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'größer 🎉' }, p: 'abcd' }),
  event('metadata', { usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 } }),
]);

describe('AwsEventStreamParser', () => {
  it('reads what the vendor’s own package wrote, with the frames’ names', () => {
    const { recorder, isBroken } = read('aws-event-stream', [STREAM]);
    expect(isBroken).toBe(false);
    expect(recorder.events).toEqual([
      ['messageStart', '{"role":"assistant"}'],
      ['contentBlockDelta', '{"contentBlockIndex":0,"delta":{"text":"größer 🎉"},"p":"abcd"}'],
      ['metadata', '{"usage":{"inputTokens":1,"outputTokens":2,"totalTokens":3}}'],
    ]);
    expect(Buffer.concat(recorder.raw).equals(STREAM)).toBe(true);
  });

  it('gives the same events for a stream cut at every byte, and in pieces of every size', () => {
    const whole = read('aws-event-stream', [STREAM]).recorder.events;
    for (let cut = 0; cut <= STREAM.length; cut += 1) {
      const { recorder } = read('aws-event-stream', [STREAM.subarray(0, cut), STREAM.subarray(cut)]);
      expect(recorder.events).toEqual(whole);
    }
    for (let size = 1; size < 40; size += 1) {
      const pieces: Buffer[] = [];
      for (let at = 0; at < STREAM.length; at += size) pieces.push(STREAM.subarray(at, at + size));
      expect(read('aws-event-stream', pieces).recorder.events).toEqual(whole);
    }
  });

  it('breaks when the stream ends inside a frame, and only then', () => {
    const [first, second] = [event('messageStart', {}).length, event('messageStop', {}).length];
    const bytes = Buffer.concat([event('messageStart', {}), event('messageStop', {})]);
    for (let end = 0; end <= bytes.length; end += 1) {
      const isWhole = end === 0 || end === first || end === first + second;
      expect(read('aws-event-stream', [bytes.subarray(0, end)]).isBroken).toBe(!isWhole);
    }
  });

  it('refuses a stream with any one byte changed, and gives on nothing of the changed frame', () => {
    const bytes = event('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'hello' } });
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] as number) ^ 0x01;
      const { recorder, isBroken } = read('aws-event-stream', [changed]);
      expect(isBroken).toBe(true);
      expect(recorder.events).toEqual([]);
    }
  });

  it('does not wait for a frame larger than its bound, whose prelude is in order [UP-04]', () => {
    const { crc32 } = process.getBuiltinModule('node:zlib');
    const prelude = Buffer.alloc(16);
    prelude.writeUInt32BE(MAX_AWS_FRAME_BYTES + 1, 0);
    prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
    const framer = new AwsEventStreamParser(new Recorder());
    framer.push(prelude);
    expect([framer.isTooLarge, framer.isBroken]).toEqual([true, false]);
  });

  it('names exceptions and errors, and gives them a sentence', () => {
    const bytes = Buffer.concat([
      frame(
        { ':message-type': 'exception', ':exception-type': 'throttlingException' },
        '{"message":"slow down"}',
      ),
      frame({ ':message-type': 'error', ':error-code': 'Oops', ':error-message': 'it broke' }, ''),
    ]);
    expect(read('aws-event-stream', [bytes]).recorder.events).toEqual([
      ['exception/throttlingException', '{"message":"slow down"}'],
      ['exception/Oops', '{"message":"it broke"}'],
    ]);
  });

  it('passes by headers of every type', () => {
    const bytes = Buffer.from(
      codec.encode({
        headers: {
          a: { type: 'boolean', value: true },
          b: { type: 'byte', value: 1 },
          c: { type: 'short', value: 2 },
          d: { type: 'integer', value: 3 },
          e: { type: 'binary', value: Buffer.from('xy') },
          f: { type: 'timestamp', value: new Date(0) },
          g: { type: 'uuid', value: '00000000-0000-4000-8000-000000000000' },
          ':event-type': { type: 'string', value: 'ping' },
        },
        body: Buffer.from('{}'),
      }),
    );
    expect(read('aws-event-stream', [bytes]).recorder.events).toEqual([['ping', '{}']]);
  });

  it('stops when the reader has enough', () => {
    const recorder = new Recorder();
    recorder.stopAfter = 1;
    openFramer('aws-event-stream', recorder).push(STREAM);
    expect(recorder.events).toHaveLength(1);
  });
});

describe('AwsWrappedSseParser', () => {
  const chunk = (inner: string): Buffer =>
    event('chunk', { bytes: Buffer.from(inner).toString('base64'), p: 'abc' });
  const wrapped = Buffer.concat([
    chunk('{"type":"message_start","message":{"id":"msg_1"}}'),
    chunk('{"type":"content_block_delta",\n"index":0,"delta":{"type":"text_delta","text":"ü"}}'),
    frame(
      { ':message-type': 'exception', ':exception-type': 'modelStreamErrorException' },
      '{"message":"no"}',
    ),
  ]);

  it('gives on the events inside as an event stream, at every split', () => {
    const expected =
      'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_1"}}\n\n' +
      'event: content_block_delta\ndata: {"type":"content_block_delta", "index":0,"delta":{"type":"text_delta","text":"ü"}}\n\n' +
      'event: error\ndata: {"type":"error","error":{"type":"modelStreamErrorException","message":"no"}}\n\n';
    for (let cut = 0; cut <= wrapped.length; cut += 1) {
      const { recorder, isBroken } = read('aws-messages', [wrapped.subarray(0, cut), wrapped.subarray(cut)]);
      expect(isBroken).toBe(false);
      expect(Buffer.concat(recorder.raw).toString()).toBe(expected);
      expect(recorder.events.map(([name]) => name)).toEqual(['', '', '']);
    }
  });

  it('breaks when a chunk holds no bytes', () => {
    expect(read('aws-messages', [event('chunk', { nothing: 1 })]).isBroken).toBe(true);
  });

  it('passes by frames of other kinds', () => {
    const { recorder, isBroken } = read('aws-messages', [event('initial-response', {})]);
    expect([recorder.events, isBroken]).toEqual([[], false]);
  });
});

describe('JsonLinesParser', () => {
  const bytes = Buffer.from('{"a":"ü"}\r\n\n  {"b":2}  \n{"c":3}');

  it('gives the same lines for a stream cut at every byte', () => {
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const { recorder } = read('json-lines', [bytes.subarray(0, cut), bytes.subarray(cut)]);
      expect(recorder.events).toEqual([
        ['', '{"a":"ü"}'],
        ['', '{"b":2}'],
        ['', '{"c":3}'],
      ]);
    }
  });

  it('refuses a line longer than its bound, in one piece or in many [UP-04]', () => {
    const long = Buffer.alloc(MAX_JSON_LINE_BYTES + 1, 0x20);
    const whole = new JsonLinesParser(new Recorder());
    whole.push(long);
    const parts = new JsonLinesParser(new Recorder());
    parts.push(long.subarray(0, 1000));
    parts.push(long.subarray(1000));
    expect([whole.isTooLarge, parts.isTooLarge]).toEqual([true, true]);
  });

  it('stops when the reader has enough', () => {
    const recorder = new Recorder();
    recorder.stopAfter = 1;
    openFramer('json-lines', recorder).push(Buffer.from('1\n2\n'));
    expect(recorder.events).toHaveLength(1);
  });
});
