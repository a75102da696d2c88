import type { Operation } from '../../model/operation.js';
import type { Usage } from '../../model/usage.js';
import type { ReplyMeter } from '../../formats/contract/reply-meter.js';
import type { ReplyContext, ReplyWriter } from '../../formats/contract/api-format.js';
import type { ClientCall } from '../context/call-types.js';
import type { StreamBody } from './stream-body.js';

/**
 * The last bytes of a stream that passed untouched: the vendor's own end marker; ours where the vendor forgot it; and what
 * is charged where it gave no figures. Formats without a `streamTail` end with an event of the vendor's, which has passed.
 */
export function passThroughTrailer<O extends Operation>(input: {
  readonly body: StreamBody;
  readonly meter: ReplyMeter;
  readonly clientCall: ClientCall<O>;
  readonly context: ReplyContext;
  readonly billed: Usage;
}): Buffer | string {
  const { body, meter, clientCall, context, billed } = input;
  const tail = clientCall.apiFormat.streamTail;
  const lacksEnd = tail?.namesEnd === true && !meter.hasFinish;
  if (tail === undefined || (body.endMarker !== null && meter.usage !== undefined && !lacksEnd))
    return body.endMarker ?? '';
  return tail.write({
    context,
    call: clientCall.parsed,
    lastFrames: body.takeLastFrames(),
    endMarker: body.endMarker?.toString('utf8') ?? '',
    usage: meter.usage === undefined ? billed : undefined,
    missingEnd: lacksEnd ? (meter.hasToolCalls ? 'tool-calls' : 'stop') : undefined,
  });
}

/** The last bytes of a stream that was written anew; a chat whose vendor gave no figures gets the charged ones. */
export function translatedTrailer<O extends Operation>(input: {
  readonly writer: ReplyWriter;
  readonly meter: ReplyMeter;
  readonly clientCall: ClientCall<O>;
  readonly billed: Usage;
}): string {
  const { writer, meter, clientCall, billed } = input;
  if (meter.usage !== undefined || clientCall.parsed.shape.operation !== 'chat') return writer.end();
  return writer.write({ type: 'usage', usage: billed }) + writer.end();
}
