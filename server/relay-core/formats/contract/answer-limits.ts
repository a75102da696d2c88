/**
 * Most calls, blocks, sources and endings in one answer, streamed or whole. No model comes near; an upstream that sends more of them
 * costs the gateway more than it costs itself.
 */
export const MAX_ANSWER_PARTS = 10_000;
