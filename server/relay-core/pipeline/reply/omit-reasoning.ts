import type { ChatReply } from '../../model/chat.js';
import type { ContentPart, ThoughtSignature } from '../../model/content.js';
import type { StreamEvent } from '../../model/stream-event.js';
import { markedId, newKey } from '../request/stored-signatures.js';
import type { EventAdapter } from './stream-body.js';

/** Takes the signature of a call that has no place in the answer. */
export type KeepSignature = (key: string, signature: ThoughtSignature) => void;
type CallStart = Extract<StreamEvent, { type: 'tool-input-start' }>;

/**
 * Leaves thoughts out of a stream whose caller did not ask for them, as its API does; they are counted all the same.
 * @param keep  absent = calls show their signatures
 */
export function omitReasoningAdapter(keep: KeepSignature | undefined): EventAdapter {
  // A call's signature comes right behind its beginning, if at all: its id shows that it was kept.
  let begun: CallStart | undefined;
  return (event) => {
    const waited = begun;
    begun = undefined;
    if (waited !== undefined && keep !== undefined && isSignatureOf(event, waited)) {
      const key = newKey();
      keep(key, event.signature);
      return [{ ...waited, callId: markedId(waited.callId, key) }];
    }
    const before = waited === undefined ? NOTHING : [waited];
    if (event.type === 'tool-input-start' && keep !== undefined) {
      begun = event;
      return before;
    }
    const isHidden =
      event.type === 'reasoning-delta' ||
      (event.type === 'block-signature' && (keep !== undefined || event.of === 'reasoning'));
    return isHidden ? before : [...before, event];
  };
}

const isSignatureOf = (
  event: StreamEvent,
  { block }: CallStart,
): event is Extract<StreamEvent, { type: 'block-signature' }> =>
  event.type === 'block-signature' && event.of === 'tool-call' && event.block === block;

const NOTHING: readonly never[] = Object.freeze([]);

/** The same for a whole reply. */
export function withoutReasoning(reply: ChatReply, keep: KeepSignature | undefined): ChatReply {
  const choices = reply.choices.map((choice) => ({
    ...choice,
    content: choice.content
      .filter(({ type }) => type !== 'reasoning')
      .map((part) => (keep === undefined ? part : withoutSignature(part, keep))),
  }));
  return { ...reply, choices };
}

function withoutSignature(part: ContentPart, keep: KeepSignature): ContentPart {
  if (part.type === 'vendor' || part.signature === undefined) return part;
  const { signature, ...rest } = part;
  if (part.type !== 'tool-call') return rest as ContentPart;
  const key = newKey();
  keep(key, signature);
  return { ...rest, callId: markedId(part.callId, key) } as ContentPart;
}
