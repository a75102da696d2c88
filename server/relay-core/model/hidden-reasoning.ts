/** Models whose streams may be silent while they reason, and report those tokens only at the end; a maker's name may stand before theirs. */
const NAMES =
  /^(?:[^/]*\/)?(?:o[134](?:-|$)|gpt-5(?![.\d]*-chat)|codex-|grok-(?:3-mini|4)|gemini-(?:2\.5|[3-9]|(?:pro|flash|flash-lite)-latest))/;

/**
 * The hold of such a stream cannot grow with it: nothing of the reasoning is seen until it is spent. Where the call names no cap it is
 * held for like a whole answer, and capped at what the account can pay.
 */
export const hidesReasoning = (model: string): boolean => NAMES.test(model);
