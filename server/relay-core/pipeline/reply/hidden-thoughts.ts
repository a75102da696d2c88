import type { ChatReply } from '../../model/chat.js';
import type { ContentPart, Proof } from '../../model/content.js';
import type { StreamEvent } from '../../model/stream-event.js';
import { markedId, newKey } from '../request/stored-proofs.js';
import type { EventAdapter } from './stream-body.js';

/** Takes the proof of a call that has no place in the answer. */
export type KeepProof = (key: string, proof: Proof) => void;
type CallStart = Extract<StreamEvent, { type: 'tool-input-start' }>;

/**
 * Leaves thoughts out of a stream whose caller did not ask for them, as its API does; they are counted all the same.
 * @param keep  absent = calls show their proofs
 */
export function hiddenThoughtsAdapter(keep: KeepProof | undefined): EventAdapter {
  // A call's proof comes right behind its beginning, if at all: its id says that it was kept.
  let begun: CallStart | undefined;
  return (event) => {
    const waited = begun;
    begun = undefined;
    if (waited !== undefined && keep !== undefined && isProofOf(event, waited)) {
      const key = newKey();
      keep(key, event.proof);
      return [{ ...waited, callId: markedId(waited.callId, key) }];
    }
    const before = waited === undefined ? NOTHING : [waited];
    if (event.type === 'tool-input-start' && keep !== undefined) {
      begun = event;
      return before;
    }
    const isHidden =
      event.type === 'reasoning-delta' ||
      (event.type === 'block-proof' && (keep !== undefined || event.of === 'reasoning'));
    return isHidden ? before : [...before, event];
  };
}

const isProofOf = (
  event: StreamEvent,
  { block }: CallStart,
): event is Extract<StreamEvent, { type: 'block-proof' }> =>
  event.type === 'block-proof' && event.of === 'tool-call' && event.block === block;

const NOTHING: readonly never[] = Object.freeze([]);

/** The same for a whole reply. */
export function withoutThoughts(reply: ChatReply, keep: KeepProof | undefined): ChatReply {
  const choices = reply.choices.map((choice) => ({
    ...choice,
    content: choice.content
      .filter(({ type }) => type !== 'reasoning')
      .map((part) => (keep === undefined ? part : withoutProof(part, keep))),
  }));
  return { ...reply, choices };
}

function withoutProof(part: ContentPart, keep: KeepProof): ContentPart {
  if (part.type === 'vendor' || part.proof === undefined) return part;
  const { proof, ...rest } = part;
  if (part.type !== 'tool-call') return rest as ContentPart;
  const key = newKey();
  keep(key, proof);
  return { ...rest, callId: markedId(part.callId, key) } as ContentPart;
}
