import { EventStreamCodec } from '@smithy/eventstream-codec';

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes).toString('utf8'),
  (text) => Buffer.from(text),
);

/** A frame of AWS's event streams, as AWS's own package writes it. */
export function awsFrame(type: string, payload: unknown, kind: 'event' | 'exception' = 'event'): Buffer {
  return Buffer.from(
    codec.encode({
      headers: {
        ':message-type': { type: 'string', value: kind },
        [kind === 'event' ? ':event-type' : ':exception-type']: { type: 'string', value: type },
        ':content-type': { type: 'string', value: 'application/json' },
      },
      body: Buffer.from(JSON.stringify(payload)),
    }),
  );
}

export const AWS_STREAM = 'application/vnd.amazon.eventstream';
