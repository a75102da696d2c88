import type { ChatRequest, Message } from '../model/chat.js';
import type { ContentPart, Proof } from '../model/content.js';

/** Most of them, and most characters of one: a thought's signature has a few thousand. */
const MAX_PROOFS = 2_000;
const MAX_LENGTH = 16_384;

/**
 * Proofs of tool calls that the caller's API has no place for unless thoughts were asked for: kept aside by owner and call
 * id until the result of the call comes back. They live in this process only; where one is missing, the vendor's own
 * stand-in is sent.
 */
export class KeptProofs {
  /** In the order of their coming, oldest first. */
  private readonly proofs = new Map<string, Proof>();

  keep(ownerId: number, callId: string, proof: Proof): void {
    if (proof.data.length > MAX_LENGTH) return;
    const key = keyOf(ownerId, callId);
    this.proofs.delete(key);
    this.proofs.set(key, proof);
    for (const oldest of this.proofs.keys()) {
      if (this.proofs.size <= MAX_PROOFS) break;
      this.proofs.delete(oldest);
    }
  }

  /** The request with the proofs its calls were given by, as far as they are known. */
  restore(request: ChatRequest, ownerId: number): ChatRequest {
    if (this.proofs.size === 0) return request;
    let isChanged = false;
    const found = (part: ContentPart): ContentPart => {
      if (part.type !== 'tool-call' || part.proof !== undefined) return part;
      const proof = this.proofs.get(keyOf(ownerId, part.callId));
      if (proof === undefined) return part;
      isChanged = true;
      return { ...part, proof };
    };
    const messages = request.messages.map((message): Message => {
      if (message.role !== 'assistant') return message;
      return { ...message, content: message.content.map(found) };
    });
    return isChanged ? { ...request, messages } : request;
  }
}

const keyOf = (ownerId: number, callId: string): string => `${ownerId}:${callId}`;

export const KEPT_PROOFS = new KeptProofs();
