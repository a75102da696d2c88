import type { FinishReason } from './finish-reason.js';
import type { RelayError } from './relay-error.js';
import type { Usage } from './usage.js';

/**
 * A reply as it grows, in a vocabulary no vendor ships. `block` numbers a piece of one answer, `choice` the answer
 * itself (0 unless several were asked for); a block belongs to one choice for good.
 */
export type StreamEvent =
  | {
      readonly type: 'reply-start';
      readonly id: string;
      readonly servedModel: string;
      readonly createdAtSeconds?: number;
    }
  | {
      readonly type: 'text-delta' | 'reasoning-delta' | 'refusal-delta';
      readonly block: number;
      readonly choice?: number;
      readonly text: string;
      /** Token probabilities of this text, as the vendor gave them. */
      readonly logprobs?: unknown;
    }
  | {
      readonly type: 'audio-delta';
      readonly block: number;
      readonly choice?: number;
      /** The vendor's audio object: id, data in base64, transcript, expiry; members come and go. */
      readonly audio: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: 'tool-input-start';
      readonly block: number;
      readonly choice?: number;
      readonly callId: string;
      readonly name: string;
    }
  | {
      readonly type: 'tool-input-delta';
      readonly block: number;
      readonly choice?: number;
      readonly json: string;
    }
  | { readonly type: 'block-end'; readonly block: number; readonly choice?: number }
  /** One answer is complete; the reply goes on while others are not. */
  | { readonly type: 'choice-end'; readonly choice: number; readonly finish: FinishReason }
  /** Cumulative: a later one replaces an earlier one. */
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'reply-end'; readonly finish: FinishReason }
  | { readonly type: 'reply-error'; readonly error: RelayError };
