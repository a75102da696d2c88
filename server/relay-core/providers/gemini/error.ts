import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import { scrubText } from '../../model/text-scrub.js';
import type { Route } from '../../ports/channel-picker.js';
import {
  documentOf,
  given,
  isDocument,
  listOf,
  parseDocument,
  textOf,
  type Document,
} from '../../formats/shared/fields/json-fields.js';
import { readErrorInside, readFailedReply } from '../shared/openai-compatible-error.js';
import type { FailedReply } from '../provider.js';
import { parseJson } from '../../../common/parse-json.js';
import { plausibleWait } from '../shared/wait-hint.js';

type UpstreamError = Extract<RelayError, { readonly blame: 'upstream' }>;

const KEY_REASONS: ReadonlySet<string> = new Set([
  'API_KEY_INVALID',
  'API_KEY_SERVICE_BLOCKED',
  'API_KEY_HTTP_REFERRER_BLOCKED',
  'ACCESS_TOKEN_EXPIRED',
  'SERVICE_DISABLED',
  'CONSUMER_SUSPENDED',
  'BILLING_DISABLED',
  'ACCOUNT_STATE_INVALID',
]);

/** A failed reply of Gemini or Vertex: `{error: {code, message, status, details}}`, alone or in a list. */
export function readGoogleError(reply: FailedReply, secrets: readonly string[]): RelayError {
  const document = parseJson(reply.body);
  const usual = readFailedReply(withBody(reply, document), secrets);
  return refine(usual, errorOf(document), secrets);
}

/** A failure inside a 200: a refused prompt, an answer that ended with an error, or an error object. */
export function readGoogleErrorInside(document: unknown, secrets: readonly string[]): RelayError {
  const whole = documentOf(document);
  const filtered = filteredImages(whole);
  if (filtered !== undefined) return promptBlocked(filtered);
  const error = errorOf(document);
  const word = textOf(error['status']);
  const usual = readErrorInside({ error: { ...error, ...given('type', word) } }, secrets);
  return refine(usual, error, secrets);
}

/** Reason for which generated images were withheld; undefined = none were. */
function filteredImages(whole: Document): string | undefined {
  for (const item of listOf(whole['predictions'])) {
    const reason = textOf(documentOf(item)['raiFilteredReason']);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** The caller's prompt is what the model will not answer: no other channel would. */
function promptBlocked(reason: string): RelayError {
  return {
    ...refusal('prompt-refused', { why: scrubText(reason, []) }),
    code: 'prompt_blocked',
  };
}

function refine(usual: RelayError, error: Document, secrets: readonly string[]): RelayError {
  if (usual.blame !== 'upstream') return usual;
  const word = textOf(error['status']);
  const reasons = listOf(error['details']).map((item) => textOf(documentOf(item)['reason']) ?? '');
  const message = textOf(error['message']) ?? '';
  const isKey =
    usual.kind === 'upstream-request-rejected' &&
    (reasons.some((reason) => KEY_REASONS.has(reason)) || /api key not valid|api key expired/i.test(message));
  const retryAfterMs = retryDelay(error) ?? usual.retryAfterMs;
  const { vendorCode: _code, ...rest } = usual;
  const refined: UpstreamError = {
    ...rest,
    ...(word === undefined ? {} : { vendorType: scrubText(word, secrets) }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
  if (isKey) return { ...refined, ...refusal('channel-key-refused') };
  if (word === 'FAILED_PRECONDITION' && /location is not supported/i.test(message)) {
    return { ...refined, ...refusal('region-refused') };
  }
  return refined;
}

/** `RetryInfo.retryDelay`, such as `37s` or `0.5s`. */
function retryDelay(error: Document): number | undefined {
  for (const item of listOf(error['details'])) {
    const delay = /^(\d{1,6}(?:\.\d{1,9})?)s$/.exec(textOf(documentOf(item)['retryDelay']) ?? '')?.[1];
    const ms = plausibleWait(delay === undefined ? undefined : Number(delay) * 1_000);
    if (ms !== undefined) return ms;
  }
  return undefined;
}

const errorOf = (document: unknown): Document =>
  documentOf(documentOf(Array.isArray(document) ? document[0] : document)['error']);

/** Streams without `alt=sse` fail with a list of one error. */
const withBody = (reply: FailedReply, document: unknown): FailedReply =>
  Array.isArray(document) && isDocument(document[0])
    ? { ...reply, body: Buffer.from(JSON.stringify(document[0])) }
    : reply;

/** Texts to hide from callers: the key, and the channel's real address. */
export function googleSecretsOf(route: Pick<Route, 'credential' | 'baseUrl'>): readonly string[] {
  const secrets = [route.credential, ...accountSecrets(route.credential)];
  if (URL.canParse(route.baseUrl)) secrets.push(new URL(route.baseUrl).hostname);
  return secrets;
}

/** Secrets of a service account's file: the lines of its key, and its identity. */
function accountSecrets(credential: string): readonly string[] {
  if (!credential.trimStart().startsWith('{')) return [];
  const account = parseDocument(credential) ?? {};
  const lines = (textOf(account['private_key']) ?? '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('-----'));
  const names = ['private_key_id', 'client_email', 'client_id', 'project_id'].map((name) =>
    textOf(account[name]),
  );
  return [...lines, ...names.filter((name) => name !== undefined)];
}
