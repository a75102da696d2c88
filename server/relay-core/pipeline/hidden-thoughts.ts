import type { ChatReply } from '../model/chat.js';
import type { ContentPart, Proof } from '../model/content.js';
import type { EventAdapter } from './stream-body.js';

/** Takes the proof of a call that has no place in the answer. */
export type KeepProof = (callId: string, proof: Proof) => void;

/**
 * Leaves thoughts out of a stream whose caller did not ask for them, as its API does; they are counted all the same.
 * @param keep  absent = calls show their proofs
 */
export function hiddenThoughtsAdapter(keep: KeepProof | undefined): EventAdapter {
  const calls = new Map<number, string>();
  return (event) => {
    if (event.type === 'reasoning-delta') return NOTHING;
    if (event.type === 'tool-input-start' && keep !== undefined) calls.set(event.block, event.callId);
    if (event.type !== 'block-proof') return [event];
    if (event.of === 'reasoning') return NOTHING;
    if (keep === undefined) return [event];
    const callId = calls.get(event.block);
    if (callId !== undefined) keep(callId, event.proof);
    return NOTHING;
  };
}

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
  if (part.type === 'tool-call') keep(part.callId, proof);
  return rest as ContentPart;
}
