/** Longest upstream sentence shown to a caller. */
const MAX_MESSAGE_LENGTH = 500;
/**
 * Longest text that is searched for patterns. Some of them look ahead from every word, so their time grows with the
 * square of the length, and an upstream (or a prompt it quotes) decides what stands there.
 */
const MAX_SEARCHED_LENGTH = 1_000;

const SECRETS: readonly RegExp[] = [
  /\b(?:sk|pk|rk|fk|xai|gsk|pplx|ark|bce-v3|jina|r8|pat)[-_][A-Za-z0-9*._-]{6,}/g,
  /\bAIza[A-Za-z0-9_-]{10,}/g,
  // Access tokens of Google, key ids of AWS.
  /\bya29\.[A-Za-z0-9._-]{8,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{12,}/g,
  /\bey[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*)?/g,
  /\bBearer\s+[^\s"',;]{4,}/gi,
  /\b(?:api[_-]?key|key|token|secret|password)\s*[=:]\s*[^\s"',;&]{4,}/gi,
  // Identifies an account: an organisation or project of a vendor, a resource of AWS with the account's number in it.
  /\b(?:org|proj)[-_](?=[A-Za-z]{0,40}\d)[A-Za-z0-9]{12,}/g,
  /\barn:aws[a-z-]{0,10}:[^\s"'<>),;]{6,}/g,
];
const ADDRESSES: readonly RegExp[] = [
  /\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s"'<>)]+/gi,
  /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g,
  /(?:\b[0-9a-f]{1,4}:){3,7}[0-9a-f]{0,4}\b/gi,
  /(?<![\w:])(?:(?:[0-9a-f]{1,4}:){1,7}|:):(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?(?![\w:])/gi,
  /\b(?:[a-z0-9-]{1,63}\.){1,8}(?:com|net|org|io|ai|cn|dev|local|internal|lan|cloud|app|co)\b(?::\d+)?/gi,
  /\blocalhost(?::\d+)?\b/gi,
];

/** Start of a program's stack: "at name (/folder/file.js:1:2)", or Python's own heading. Nothing after it is part of the message. */
const STACK =
  /(?:^|\s)(?:at (?:[^\s()]{1,200} ){0,4}\(?[^\s()]{0,300}[\\/][^\s()]{0,300}:\d+|Traceback \(most recent call last\)|File "[^"\n]{1,300}", line \d+)/;

/**
 * Makes an upstream's sentence fit for a caller: keys, addresses, stacks and control characters out, at most 500 characters.
 * @param secrets  the channel's own credential and host; found also JSON- and URL-encoded, whole or in parts
 */
export function scrubText(text: string, secrets: readonly string[]): string {
  return scrub(text, secrets, [...SECRETS, ...ADDRESSES]);
}

/** The same for the operator, who may read addresses: they are the operator's own channels, and vendors link instructions there. */
export const scrubSecrets = (text: string, secrets: readonly string[]): string =>
  scrub(text, secrets, SECRETS);

function scrub(text: string, secrets: readonly string[], patterns: readonly RegExp[]): string {
  let scrubbed = text;
  for (const secret of secrets) {
    for (const form of formsOf(secret)) scrubbed = scrubbed.split(form).join('***');
  }
  if (scrubbed.length > MAX_SEARCHED_LENGTH) scrubbed = scrubbed.slice(0, MAX_SEARCHED_LENGTH);
  const stackAt = scrubbed.search(STACK);
  if (stackAt !== -1) scrubbed = scrubbed.slice(0, stackAt);
  for (const pattern of patterns) scrubbed = scrubbed.replace(pattern, '***');
  // Line breaks and other control characters would let a vendor write into logs and event streams.
  scrubbed = scrubbed.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ').trim();
  return scrubbed.length > MAX_MESSAGE_LENGTH ? `${scrubbed.slice(0, MAX_MESSAGE_LENGTH - 1)}…` : scrubbed;
}

/** Shorter credentials (a local server's "none") are words, not secrets. */
const MIN_SECRET_LENGTH = 8;

function formsOf(secret: string): readonly string[] {
  if (secret.length < MIN_SECRET_LENGTH) return [];
  const forms = new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]);
  for (const part of secret.split(/[|\s]/)) if (part.length >= MIN_SECRET_LENGTH) forms.add(part);
  return [...forms];
}
