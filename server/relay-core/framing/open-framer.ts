import { AwsEventStreamParser } from './aws-event-stream.js';
import { AwsWrappedSseParser } from './aws-wrapped-sse.js';
import type { Framer, FrameSink, Framing } from './framer.js';
import { JsonArrayParser } from './json-array.js';
import { JsonLinesParser } from './json-lines.js';
import { NamedSseParser } from './named-sse.js';
import { SseParser } from './sse.js';

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
