import type { Operation } from '../../model/operation.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Usage } from '../../model/usage.js';
import type { ReplyMeter } from '../../formats/contract/reply-meter.js';
import type { BilledReply, RelayInput } from '../context/attempt.js';
import type { StreamReply } from './stream-reply.js';

const EMPTY = refusal('empty');

/** A reply without content that the vendor bills. On its own API it can be passed on as it came. */
export function readBilledReply<O extends Operation>(
  { client, translated }: Pick<RelayInput<O>, 'client' | 'translated'>,
  reply: {
    /** Has usage. */
    readonly meter: ReplyMeter;
    readonly stream: StreamReply<O> | null;
    /** The caller wants a stream. */
    readonly isStream: boolean;
    readonly chunks: readonly Buffer[];
    readonly type: string;
  },
  error: RelayError,
): BilledReply {
  const { meter, stream, isStream, chunks, type } = reply;
  const usage = meter.usage as Usage;
  const { hasFinish, unifiedFinish } = meter;
  // A stream without an end broke off; a whole body is whole without one.
  const isWhole = stream === null;
  const isAnswer =
    error.message === EMPTY.message
      ? isWhole || hasFinish
      : isWhole && unifiedFinish === 'error' && error.kind !== EMPTY.kind;
  if (!isAnswer || translated.plan.reply !== 'bytes' || translated.plan.isForced === true) return { usage };
  const passOn = stream?.passOn(usage);
  if (passOn !== undefined) return { usage, passOn };
  if (isStream || stream !== null) return { usage };
  const body = Buffer.concat(chunks);
  return { usage, passOn: () => client.sendWhole(body, type) };
}
