import type { FinishReason } from './finish-reason.js';
import type { RelayError } from './relay-error.js';
import type { Usage } from './usage.js';

/** A reply as it grows, in a vocabulary no vendor ships. */
export type StreamEvent =
  | { readonly type: 'reply-start'; readonly id: string; readonly servedModel: string }
  | { readonly type: 'text-delta' | 'reasoning-delta'; readonly block: number; readonly text: string }
  | { readonly type: 'tool-input-start'; readonly block: number; readonly callId: string; readonly name: string }
  | { readonly type: 'tool-input-delta'; readonly block: number; readonly json: string }
  | { readonly type: 'block-end'; readonly block: number }
  /** Cumulative: a later one replaces an earlier one. */
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'reply-end'; readonly finish: FinishReason }
  | { readonly type: 'reply-error'; readonly error: RelayError };
