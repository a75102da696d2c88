import type { MediaKind, MediaSource, ThoughtSignature, Source } from './content.js';
import type { FinishReason } from './finish-reason.js';
import type { RelayError } from './relay-error.js';
import type { Usage } from './usage.js';
import type { VendorOptions } from './vendor-options.js';

/**
 * Events of a growing reply, in a vendor-neutral vocabulary. `block` numbers a piece of one answer, `choice` the answer itself (0
 * unless several were requested); a block belongs to one choice and one kind for good. Readers number blocks in the order they
 * begin; writers may rely on a new number meaning a new piece.
 */
export type StreamEvent =
  | {
      readonly type: 'reply-start';
      readonly id: string;
      readonly servedModel: string;
      readonly createdAtSeconds?: number;
      /** Input usage, for vendors that report it first (Anthropic). */
      readonly usage?: Usage;
      /** Members of the reply that one format has, known at its start. */
      readonly vendorOptions?: VendorOptions;
    }
  | {
      readonly type: 'text-delta' | 'reasoning-delta' | 'refusal-delta';
      readonly block: number;
      readonly choice?: number;
      readonly text: string;
      /** The vendor's id of the piece, where a signature that follows belongs to it (Responses: `rs_…`). */
      readonly vendorId?: string;
      /** For reasoning: a signature of this family follows that is good for these very words only, so they must come back with it. */
      readonly signatureBy?: ThoughtSignature['by'];
      /** Token probabilities of this text, as the vendor gave them. */
      readonly logprobs?: unknown;
    }
  /** Belongs to the block of that number (text, reasoning or tool call), which it may also open: hidden reasoning has nothing else. */
  | {
      readonly type: 'block-signature';
      readonly block: number;
      readonly choice?: number;
      readonly signature: ThoughtSignature;
      /** Kind of block it opens, when no delta did. */
      readonly of: 'text' | 'reasoning' | 'tool-call';
      readonly isRedacted?: boolean;
    }
  | {
      readonly type: 'audio-delta';
      readonly block: number;
      readonly choice?: number;
      /** The vendor's audio object: id, data in base64, transcript, expiry; members come and go. */
      readonly audio: Readonly<Record<string, unknown>>;
    }
  /** A whole image or file of the answer. */
  | {
      readonly type: 'media';
      readonly block: number;
      readonly choice?: number;
      readonly media: MediaKind;
      readonly source: MediaSource;
    }
  /** A citation for the text block of that number. */
  | {
      readonly type: 'source';
      readonly block: number;
      readonly choice?: number;
      readonly source: Source;
    }
  | {
      readonly type: 'tool-input-start';
      readonly block: number;
      readonly choice?: number;
      readonly callId: string;
      readonly name: string;
      readonly isFreeform?: boolean;
      /** The vendor's id of the piece, for the same format (Responses: `fc_…`). */
      readonly vendorId?: string;
      /** Members of the call that one format has. */
      readonly vendorOptions?: VendorOptions;
    }
  | {
      readonly type: 'tool-input-delta';
      readonly block: number;
      readonly choice?: number;
      readonly json: string;
    }
  /** A finished piece of a kind only one format knows; other formats leave it out. */
  | {
      readonly type: 'vendor-part';
      readonly block: number;
      readonly choice?: number;
      readonly apiFormat: string;
      readonly value: unknown;
    }
  | { readonly type: 'block-end'; readonly block: number; readonly choice?: number }
  /** One answer is complete; the reply goes on while others are not. */
  | { readonly type: 'choice-end'; readonly choice: number; readonly finish: FinishReason }
  /** Cumulative: a later one replaces an earlier one. */
  | { readonly type: 'usage'; readonly usage: Usage }
  | {
      readonly type: 'reply-end';
      readonly finish: FinishReason;
      /** Members of the reply that one format has, known at its end: they replace those of the start. */
      readonly vendorOptions?: VendorOptions;
    }
  | { readonly type: 'reply-error'; readonly error: RelayError };
