import { AWS_EXCEPTION_PREFIX, AwsEventStreamParser } from './aws-event-stream.js';
import type { Framer, FrameSink, Framing } from './framer.js';
import { JsonArrayParser } from './json-array.js';
import { JsonLinesParser } from './json-lines.js';
import { SseParser } from './sse.js';
import { JsonCursor } from './json-cursor.js';

const BYTES_FIELD = Buffer.from('bytes');
const TYPE_FIELD = Buffer.from('type');
const QUOTE = 0x22;
const EVENT_FIELD = 'event: ';
const DATA_FIELD = '\ndata: ';
const END_OF_EVENT = '\n\n';

const cursor = new JsonCursor();

/** Line breaks between JSON's tokens would end a data line early. */
const onOneLine = (event: Buffer): Buffer =>
  event.includes(0x0a) || event.includes(0x0d)
    ? Buffer.from(event.toString('latin1').replace(/[\r\n]/g, ' '), 'latin1')
    : event;

const FIELD = 'event:';
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Readers of the framings beside event streams, by name. */
const OTHERS: Partial<Record<Framing, (sink: FrameSink) => Framer>> = {
  'aws-event-stream': (sink) => new AwsEventStreamParser(sink),
  'aws-messages': (sink) => new AwsWrappedSseParser(sink),
  'json-array': (sink) => new JsonArrayParser(sink),
  'json-lines': (sink) => new JsonLinesParser(sink),
  'named-sse': (sink) => new NamedSseParser(sink),
};

/** The reader of a format's framing. */
export function openFramer(framing: Framing | undefined, sink: FrameSink): Framer {
  if (framing === undefined || framing === 'sse') return new SseParser(sink);
  const open = OTHERS[framing];
  if (open === undefined) throw new Error(`No reader for the framing ${framing}.`);
  return open(sink);
}

/** Event streams whose events are distinguished by their names only: the name comes along with the data. */
export class NamedSseParser implements Framer {
  private readonly inner: SseParser;

  constructor(sink: FrameSink) {
    this.inner = new SseParser({
      onEvent: (bytes, rawStart, rawEnd, data, dataStart, dataEnd) =>
        sink.onEvent(bytes, rawStart, rawEnd, data, dataStart, dataEnd, nameIn(bytes, rawStart, rawEnd)),
    });
  }

  get isTooLarge(): boolean {
    return this.inner.isTooLarge;
  }

  get isBroken(): boolean {
    return this.inner.isBroken;
  }

  push(chunk: Buffer): void {
    this.inner.push(chunk);
  }

  finish(): void {
    this.inner.finish();
  }
}

/** Value of the block's last `event` line; empty = it has none. */
function nameIn(bytes: Buffer, start: number, end: number): string {
  let name = '';
  for (let at = start; at < end;) {
    let lineEnd = at;
    while (lineEnd < end && bytes[lineEnd] !== LINE_FEED && bytes[lineEnd] !== CARRIAGE_RETURN) lineEnd += 1;
    if (lineEnd - at >= FIELD.length && bytes.toString('latin1', at, at + FIELD.length) === FIELD)
      name = bytes.toString('utf8', at + FIELD.length, lineEnd).replace(/^ /, '');
    at = lineEnd + 1;
  }
  return name;
}

/**
 * Reader of streams whose every AWS frame carries one event of another vendor in base64 (Claude on Bedrock by
 * invoke-with-response-stream). Gives each event as the block of an event stream it is at that vendor's own address,
 * so that it may pass untouched. Failures become `event: error` blocks in that vendor's shape.
 */
export class AwsWrappedSseParser implements Framer, FrameSink {
  private readonly frames = new AwsEventStreamParser(this);
  private isUnreadable = false;

  constructor(private readonly sink: FrameSink) {}

  get isTooLarge(): boolean {
    return this.frames.isTooLarge;
  }

  get isBroken(): boolean {
    return this.isUnreadable || this.frames.isBroken;
  }

  push(chunk: Buffer): void {
    this.frames.push(chunk);
  }

  finish(): void {
    this.frames.finish();
  }

  onEvent(
    _bytes: Buffer,
    _rawStart: number,
    _rawEnd: number,
    data: Buffer,
    dataStart: number,
    dataEnd: number,
    name: string,
  ): boolean {
    if (name.startsWith(AWS_EXCEPTION_PREFIX)) {
      const event = wrapFailure(name.slice(AWS_EXCEPTION_PREFIX.length), data, dataStart, dataEnd);
      return this.emit('error', event);
    }
    // Other kinds of frames carry nothing of the vendor's.
    if (name !== 'chunk') return true;
    const text = memberText(data, dataStart, dataEnd, BYTES_FIELD);
    if (text === undefined) {
      this.isUnreadable = true;
      return false;
    }
    const event = onOneLine(Buffer.from(text, 'base64'));
    return this.emit(memberText(event, 0, event.length, TYPE_FIELD) ?? '', event);
  }

  private emit(type: string, event: Buffer): boolean {
    const head = Buffer.from(EVENT_FIELD + type.replace(/[\r\n]/g, '') + DATA_FIELD);
    const bytes = Buffer.concat([head, event, Buffer.from(END_OF_EVENT)]);
    const dataEnd = head.length + event.length;
    return this.sink.onEvent(bytes, 0, bytes.length, bytes, head.length, dataEnd, '');
  }
}

/** The inside of a top-level member that is a plain text; undefined when there is none. */
function memberText(bytes: Buffer, start: number, end: number, name: Buffer): string | undefined {
  cursor.reset(bytes, start, end);
  if (!cursor.enterObject()) return undefined;
  while (cursor.nextMember()) {
    const isIt = cursor.keyIs(name);
    const first = cursor.peek();
    const from = cursor.at + 1;
    if (!cursor.skipValue()) return undefined;
    if (isIt) return first === QUOTE ? bytes.toString('latin1', from, cursor.at - 1) : undefined;
  }
  return undefined;
}

/** `{"message": …}` of AWS as the error event of a Messages stream. */
function wrapFailure(type: string, data: Buffer, start: number, end: number): Buffer {
  let message: unknown;
  try {
    const document = JSON.parse(data.toString('utf8', start, end)) as Readonly<Record<string, unknown>>;
    message = document['message'] ?? document['originalMessage'];
  } catch {
    // Not JSON: the name of the failure is enough.
    message = undefined;
  }
  const sentence = typeof message === 'string' && message !== '' ? message : `The stream ended with ${type}.`;
  return Buffer.from(JSON.stringify({ type: 'error', error: { type, message: sentence } }));
}
