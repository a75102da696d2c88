/** Face for keys, ids, models and JSON. */
export const MONO =
  '"JetBrains Mono Variable", "JetBrains Mono", ui-monospace, "Noto Sans Mono CJK SC", monospace';
