import type { StreamEvent } from '../../../model/stream-event.js';

type Words = Extract<StreamEvent, { type: 'text-delta' | 'reasoning-delta' | 'refusal-delta' }>;

/** Longest thoughts of one reply that are kept for their signatures. */
const MAX_TEXT = 2 * 1024 * 1024;

/** Words of streamed thoughts whose signature is still to come and good for these very words only. */
export class SignedThinkingText {
  /** Text by block; null = too long to be kept. */
  private readonly words = new Map<number, string | null>();
  private kept = 0;

  add({ block, text, signatureBy }: Words): void {
    if (signatureBy !== 'anthropic') return;
    const before = this.words.get(block) ?? '';
    this.kept += text.length;
    this.words.set(block, this.kept > MAX_TEXT ? null : before + text);
  }

  /** Undefined = they were not kept, so that the signature is worth nothing. */
  take(block: number): string | undefined {
    const words = this.words.get(block);
    this.words.delete(block);
    return words === null ? undefined : (words ?? '');
  }
}
