/** Longest line that is logged (F-48). */
const MAX_CHARACTERS = 4_000;

const SECRET_PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\bsk-[A-Za-z0-9_-]{8,}/g, 'sk-***'],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, '$1 ***'],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g, '***jwt***'],
  [/\bAIza[A-Za-z0-9_-]{20,}/g, 'AIza***'],
  [/([?&](?:key|token|secret|password|access_token|code)=)[^&\s"']+/gi, '$1***'],
  [/([a-z][a-z0-9+.-]*:\/\/[^\s:/@]*:)[^\s@/]+@/gi, '$1***@'],
];

/** Second net under the rule that secrets are never logged: takes out whatever looks like one, and bounds the length (G7). */
export function redactSecrets(text: string): string {
  let clean = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
  for (const [pattern, replacement] of SECRET_PATTERNS) clean = clean.replace(pattern, replacement);
  return clean;
}
