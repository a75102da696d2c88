import { AWS_EXCEPTION_PREFIX, AwsEventStreamParser } from './aws-event-stream.js';
import type { Framer, FrameSink } from './framer.js';
import { JsonCursor } from './json-cursor.js';

const BYTES_FIELD = Buffer.from('bytes');
const TYPE_FIELD = Buffer.from('type');
const QUOTE = 0x22;
const EVENT_FIELD = 'event: ';
const DATA_FIELD = '\ndata: ';
const END_OF_EVENT = '\n\n';

const cursor = new JsonCursor();

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

/** Line breaks between JSON's tokens would end a data line early. */
const onOneLine = (event: Buffer): Buffer =>
  event.includes(0x0a) || event.includes(0x0d)
    ? Buffer.from(event.toString('latin1').replace(/[\r\n]/g, ' '), 'latin1')
    : event;

/** `{"message": …}` of AWS as the error event of a Messages stream. */
function wrapFailure(type: string, data: Buffer, start: number, end: number): Buffer {
  let message: unknown;
  try {
    const document = JSON.parse(data.toString('utf8', start, end)) as Readonly<Record<string, unknown>>;
    message = document['message'] ?? document['originalMessage'];
  } catch {
    // Not JSON: the name of the failure says enough.
    message = undefined;
  }
  const sentence = typeof message === 'string' && message !== '' ? message : `The stream ended with ${type}.`;
  return Buffer.from(JSON.stringify({ type: 'error', error: { type, message: sentence } }));
}
