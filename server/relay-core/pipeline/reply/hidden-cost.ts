import { hidesReasoning } from '../../model/model-family.js';
import type { Operation } from '../../model/operation.js';
import type { ReplyMeter } from '../../formats/contract/reply-meter.js';
import type { ClientCall } from '../context/call-types.js';
import { asksForReasoning } from '../request/asks-for-reasoning.js';
import { referencedInputTokens } from './referenced-input.js';

/** Operations whose price is of sound or images: a piece of an answer does not show how much is made. */
const MEDIA: ReadonlySet<Operation> = new Set(['speak', 'transcribe', 'image']);
/** Tools of the caller's own stand in the request, all of them. */
const NO_TOKENS = 0;

/** One reply, of which a part came. */
export interface PartialReply {
  readonly meter: ReplyMeter;
  readonly clientCall: Pick<ClientCall<Operation>, 'parsed'>;
  readonly upstreamModel: string;
}

/**
 * Finds the replies that may cost more than what came of them shows: reasoning that is hidden, sound, images, and input that stands elsewhere
 * (a kept conversation, a page, a search). Asked only about replies that are cut.
 */
export function hidesCost({ meter, clientCall, upstreamModel }: PartialReply): boolean {
  const { shape, document } = clientCall.parsed;
  return (
    meter.mayHideReasoning ||
    meter.readsMore ||
    MEDIA.has(shape.operation) ||
    hidesReasoning(upstreamModel) ||
    hidesReasoning(shape.model) ||
    hasMedia(meter) ||
    asksForReasoning(document) ||
    referencedInputTokens(document.bytes, NO_TOKENS) > 0
  );
}

const hasMedia = ({ produced: { media } }: ReplyMeter): boolean =>
  media.audio !== undefined || media.image !== undefined;
