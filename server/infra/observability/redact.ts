/** Longest text of a log line, in bytes as JSON writes it: with its other members a line stays below 4 KiB. */
const MAX_BYTES = 3_600;
/** Nothing behind this is even looked at. */
const MAX_READ_CHARACTERS = 8_000;

const NAMES = 'password|passwd|secret|token|api[_-]?key|authorization|cookie|credential|signature';

const SECRET_PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, '***private key***'],
  [/\bsk-[A-Za-z0-9_-]{8,}/g, 'sk-***'],
  [/\bAIza[A-Za-z0-9_-]{20,}/g, 'AIza***'],
  [
    /\b(gh[pousr]_|github_pat_|xox[abprs]-|AKIA|ASIA|ya29\.|gsk_|hf_|pplx-|xai-|whsec_|[rs]k_(?:live|test)_)[A-Za-z0-9._-]{8,}/g,
    '$1***',
  ],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, '$1 ***'],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g, '***jwt***'],
  // Headers as they are written down: names with a value up to the end of the line.
  [/\b((?:set-)?cookie|(?:proxy-)?authorization|(?:x-)?(?:goog-)?api-key)(\s*:\s*)[^\r\n"']+/gi, '$1$2***'],
  // Members of JSON and of what Node prints of an object.
  [
    new RegExp(
      `(["']?\\b[\\w-]{0,40}?(?:${NAMES})\\\\?["']?\\s{0,4}[:=]\\s{0,4}\\\\?)(["'])(?:(?!\\\\?\\2)[^\\r\\n]){3,4000}`,
      'gi',
    ),
    '$1$2***',
  ],
  [/\b(session|connect\.sid)=[^;\s"']{8,}/gi, '$1=***'],
  // Parameters of addresses, signatures of signed ones among them.
  [
    /([?&](?:key|token|secret|password|access_token|refresh_token|code|sign?|signature|ticket|x-amz-[a-z-]+|x-goog-[a-z-]+)=)[^&\s"']+/gi,
    '$1***',
  ],
  [/\b([a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/@]{0,200}:)[^\s"']{1,300}@/gi, '$1***@'],
];

/**
 * Second net under the rule that secrets are never logged: takes out whatever looks like one, and what is known to be one, and
 * bounds the length.
 * @param known  secrets of this installation, longest first
 */
export function redactSecrets(text: string, known: readonly string[] = []): string {
  let clean = text.length > MAX_READ_CHARACTERS ? text.slice(0, MAX_READ_CHARACTERS) : text;
  for (const secret of known) clean = clean.replaceAll(secret, '***');
  for (const [pattern, replacement] of SECRET_PATTERNS) clean = clean.replace(pattern, replacement);
  return clean.length === text.length && clean.length * 6 <= MAX_BYTES ? clean : cut(clean, text.length);
}

/** Letters and digits without a break, as keys of Azure, Mistral and Zhipu are; names of models have breaks. */
const BARE_KEY = /(?<![A-Za-z0-9])(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{32,}(?:\.[A-Za-z0-9]{8,})?/g;

/** Like `redactSecrets`, for names: ids of calls and traces, which resemble bare keys, do not belong there. */
export const redactName = (text: string): string => redactSecrets(text).replace(BARE_KEY, '***key***');

/** Control characters and most scripts take several bytes each, which is only known when it is written. */
function cut(text: string, fullLength: number): string {
  const isWhole = text.length <= fullLength && fullLength <= MAX_READ_CHARACTERS;
  if (isWhole && writtenBytes(text) <= MAX_BYTES) return text;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (writtenBytes(text.slice(0, middle)) <= MAX_BYTES) low = middle;
    else high = middle - 1;
  }
  return `${text.slice(0, low).toWellFormed()}…`;
}

const writtenBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text));
