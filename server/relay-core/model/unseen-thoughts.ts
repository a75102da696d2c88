/** Models whose streams may be silent while they think, and tell only at the end what that cost; a maker's name may stand before theirs. */
const NAMES =
  /^(?:[^/]*\/)?(?:o[134](?:-|$)|gpt-5(?![.\d]*-chat)|codex-|grok-(?:3-mini|4)|gemini-(?:2\.5|[3-9]))/;

/**
 * What such a stream makes cannot be held for as it comes: nothing of it is seen until it is spent. Where the call names no cap it is
 * held for like a whole answer, and capped at what the account can pay.
 */
export const thinksUnseen = (model: string): boolean => NAMES.test(model);
