import type { ReplyMeter } from '../wire/reply-meter.js';
import type { ReplyContext, ReplyWriter } from '../wire/wire.js';
import type { FrontCall } from './rooms/parse-call.js';
import type { Operation } from '../model/operation.js';
import type { Estimate } from '../wire/produced-text.js';
import type { StreamBody } from './stream-body.js';

/**
 * The last bytes of a stream that passed untouched: the vendor's own end marker; ours where the vendor forgot it, or
 * where the caller asked for a usage frame and the vendor gave no figures (relay reference 5.3).
 */
export function passThroughTrailer<O extends Operation>(input: {
  readonly body: StreamBody;
  readonly meter: ReplyMeter;
  readonly front: FrontCall<O>;
  readonly context: ReplyContext;
  readonly estimate: Estimate;
}): Buffer | string {
  const { body, meter, front, context } = input;
  const owesUsage = context.wantsStreamUsage && meter.usage === undefined;
  if (body.endMarker !== null && !owesUsage) return body.endMarker;
  const writer = front.wire.openReplyWriter?.(context, front.parsed);
  return writer === undefined ? '' : translatedTrailer({ ...input, writer });
}

/** The last bytes of a stream that was written anew; figures of ours where the vendor gave none. */
export function translatedTrailer<O extends Operation>(input: {
  readonly writer: ReplyWriter;
  readonly meter: ReplyMeter;
  readonly front: FrontCall<O>;
  readonly estimate: Estimate;
}): string {
  const { writer, meter, front, estimate } = input;
  if (meter.usage !== undefined) return writer.end();
  const usage = {
    input: { total: front.parsed.shape.promptTokens },
    output: { total: meter.produced.running(estimate) },
  };
  return writer.write({ type: 'usage', usage }) + writer.end();
}
