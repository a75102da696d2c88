import type { ScannedObject } from '../../framing/json-splice.js';
import type { RelayError } from '../../model/relay-error.js';

const NULL = 0x6e;

/**
 * A thread is kept by the vendor: its later turns hold only what is new. Where nobody keeps it, the official SDKs find
 * this code and send the whole conversation again.
 */
export function findUntranslatableThread({ bytes, members }: ScannedObject): RelayError | undefined {
  const span = members.get('thread');
  if (span === undefined || bytes[span.start] === NULL) return undefined;
  return {
    kind: 'invalid-request',
    blame: 'caller',
    message:
      "thread: the upstream of this model keeps no threads. Send the full conversation without 'thread'.",
    param: 'thread',
    details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] },
  };
}
