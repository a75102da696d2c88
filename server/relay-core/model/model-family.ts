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
