import type { Framer, FrameSink } from './framer.js';
import { SseParser } from './sse.js';

const FIELD = 'event:';
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Event streams whose events are told apart by their names only: the name comes along with the data. */
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
