const BEARER = /^bearer[ \t]+(\S+)$/i;
/** Longer ones are no keys of ours, and not remembered. */
const MAX_KNOWN_LENGTH = 256;
const MAX_KNOWN = 1_000;
const known = new Map<string, string>();

/**
 * The key of an `Authorization` header; undefined when it does not read "Bearer" and one key. Callers send the same header with every
 * call: the key is the same string then, which later look-ups need not hash again.
 */
export function bearerKey(authorization: string): string | undefined {
  const before = known.get(authorization);
  if (before !== undefined) return before;
  const key = BEARER.exec(authorization.trim())?.[1];
  if (key === undefined || authorization.length > MAX_KNOWN_LENGTH) return key;
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(authorization, key);
  return key;
}
