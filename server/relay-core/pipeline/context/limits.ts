/** Longest a stream may last, whatever comes. */
export const TOTAL_STREAM_MS = 60 * 60 * 1000;
/** Longest a call that is not streamed may take. */
export const TOTAL_WHOLE_MS = 10 * 60 * 1000;
/** A client that takes nothing for this long is cut. */
export const CLIENT_STALL_MS = 60 * 1000;
/** An upstream that sent its end mark closes its reply within this time, or is cut. */
export const LINGER_MS = 1_000;
/** Largest whole reply. */
export const MAX_WHOLE_BYTES = 64 * 1024 * 1024;
/** Bytes of a failed reply that are read. */
export const MAX_ERROR_BYTES = 64 * 1024;
/** Wait for the body of a failed reply: its status already decides. */
export const ERROR_BODY_MS = 5_000;
/** Bytes held back while a stream has not shown that it answers. */
export const MAX_UNPROVEN_BYTES = 1024 * 1024;
/** Unreadable events in a row that end a stream. */
export const MAX_MALFORMED_EVENTS = 3;
/** A running stream is checkpointed after this many chunks … */
export const CHECKPOINT_CHUNKS = 50;
/** … or after this time, whichever comes first. */
export const CHECKPOINT_MS = 1_000;
/** Output tokens a hold is extended by. */
export const EXTENSION_TOKENS = 2_000;
/** Part of the covered output at which a hold is extended. */
export const EXTENSION_SHARE = 0.8;
