import type { ReplyMeter } from '../wire/reply-meter.js';
import type { FrontWire, ReplyContext } from '../wire/wire.js';
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
  readonly wire: FrontWire<O>;
  readonly context: ReplyContext;
  readonly promptTokens: number;
  readonly estimate: Estimate;
}): Buffer | string {
  const { body, meter, wire, context } = input;
  const owesUsage = context.wantsStreamUsage && meter.usage === undefined;
  if (body.endMarker !== null && !owesUsage) return body.endMarker;
  const writer = wire.openReplyWriter?.(context);
  if (writer === undefined) return '';
  if (owesUsage) {
    const output = { total: meter.produced.running(input.estimate) };
    writer.write({ type: 'usage', usage: { input: { total: input.promptTokens }, output } });
  }
  return writer.end();
}
