/** Models whose streams may be silent while they reason, and report those tokens only at the end; a maker's name may stand before theirs. */
const NAMES =
  /^(?:[^/]*\/)?(?:o[134](?:-|$)|gpt-5(?![.\d]*-chat)|codex-|grok-(?:3-mini|4)|gemini-(?:2\.5|[3-9]|(?:pro|flash|flash-lite)-latest))/;

/**
 * The hold of such a stream cannot grow with it: nothing of the reasoning is seen until it is spent. Where the call names no cap it is
 * held for like a whole answer, and capped at what the account can pay.
 */
export const hidesReasoning = (model: string): boolean => NAMES.test(model);

const PATTERNS: readonly (readonly [name: RegExp, family: string])[] = [
  [/^gpt-4-gizmo-./, 'gpt-4-gizmo-*'],
  [/^gpt-4o-gizmo-./, 'gpt-4o-gizmo-*'],
  [/^gemini-2\.5-pro.*-thinking-\d+$/, 'gemini-2.5-pro-thinking-*'],
  [/^gemini-2\.5-flash-lite.*-thinking-\d+$/, 'gemini-2.5-flash-lite-thinking-*'],
  [/^gemini-2\.5-flash.*-thinking-\d+$/, 'gemini-2.5-flash-thinking-*'],
];

/** The name of the family a numbered or personal model belongs to, else the name itself. */
export function familyOfModel(model: string): string {
  if (!model.startsWith('g')) return model;
  return PATTERNS.find(([name]) => name.test(model))?.[1] ?? model;
}

/** Names under which a model may be listed: its own first, its family second. */
export const isModelListed = (listed: ReadonlySet<string>, model: string): boolean =>
  listed.has(model) || listed.has(familyOfModel(model));
