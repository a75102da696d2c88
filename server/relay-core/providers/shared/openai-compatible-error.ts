import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import { scrubSecrets, scrubText } from '../../model/text-scrub.js';
import { documentOf, isDocument, listOf, type Document } from '../../formats/shared/fields/json-fields.js';
import { reasonOf, statusOfFailure, type FailureDetails } from './failure-details.js';
import { insideOf, isSentence } from './wrapped-error.js';
import type { FailedReply } from '../provider.js';
import { isWebPage } from '../../formats/shared/fields/web-page.js';
import { waitHintOf } from './wait-hint.js';
import { parseJson } from '../../../common/parse-json.js';

type UpstreamError = Extract<RelayError, { readonly blame: 'upstream' }>;
type UpstreamKind = UpstreamError['kind'];

interface VendorSentence extends FailureDetails {
  readonly param: string | undefined;
  /** The status that a wrapped failure stands for. */
  readonly innerStatus?: number | undefined;
}

/** Codes and types that distinguish a spent account from a busy one. */
const QUOTA_CODES: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'insufficient_user_quota',
  'exceeded_current_quota_error',
  'billing_not_active',
  'billing_hard_limit_reached',
  'Arrearage',
  'AccountOverdueError',
]);
const KEY_CODES: ReadonlySet<string> = new Set([
  'invalid_api_key',
  'InvalidApiKey',
  'authentication_error',
  'account_deactivated',
]);
/** MiniMax `base_resp` codes. */
const MINIMAX_STATUSES: ReadonlyMap<number, number> = new Map([
  [1000, 500],
  [1001, 504],
  [1002, 429],
  [1004, 401],
  [1008, 402],
  [1026, 400],
  [1027, 400],
  [1039, 429],
  [2013, 400],
  [2049, 401],
]);

/** A failed reply as one of our kinds. */
export function readFailedReply(reply: FailedReply, secrets: readonly string[]): RelayError {
  const document = parseJson(reply.body);
  const failed = toError(reply.status, readSentence(document), secrets, reply.headers);
  const error = isPageInBetween(reply) ? { ...failed, ...PAGE_IN_BETWEEN } : failed;
  const said =
    errorTextOf(document, secrets) ?? (document === undefined ? pageText(reply.body, secrets) : undefined);
  return said === undefined ? error : { ...error, vendorSays: { status: reply.status, sentence: said } };
}

/** Statuses by which a vendor reports wrong keys, models and addresses: vendors write JSON. */
const JSON_ERROR_STATUSES: ReadonlySet<number> = new Set([403, 404, 405]);
const PAGE_IN_BETWEEN = { ...refusal('page-between'), upstreamStatus: 502 } as const;

/** A page of a proxy or a guard on the way does not concern the channel's key or of the caller's request. */
const isPageInBetween = ({ status, body }: FailedReply): boolean =>
  JSON_ERROR_STATUSES.has(status) && isWebPage(body);

/** Reads a failure inside a 200 with the status its report stands for. Without one it is the upstream's fault. */
export function readErrorInside(document: unknown, secrets: readonly string[]): RelayError {
  const sentence = readSentence(document);
  const error = toError(statusOfFailure(sentence) ?? 502, sentence, secrets, {});
  const said = errorTextOf(document, secrets);
  if (said === undefined) return error;
  const { status } = sentence;
  return { ...error, vendorSays: { sentence: said, ...(status === undefined ? {} : { status }) } };
}

/** A sentence, or at least the type or code; undefined = none came. */
function errorTextOf(document: unknown, secrets: readonly string[]): string | undefined {
  const { message, type, code } = readSentence(document);
  const said = [message, type, code].find((word) => word !== undefined);
  const scrubbed = said === undefined ? '' : scrubSecrets(said, secrets);
  return scrubbed === '' ? undefined : scrubbed;
}

/** Bytes of a page or plain text that are looked at. */
const MAX_PAGE_BYTES = 4_096;

/** Text of a proxy's page or of a plain text reply, without markup. */
function pageText(body: Buffer, secrets: readonly string[]): string | undefined {
  const text = body
    .toString('utf8', 0, MAX_PAGE_BYTES)
    .replace(/<(style|script)\b[^<]*(?:<(?!\/\1)[^<]*)*<\/\1>/gi, ' ')
    .replace(/<[^<>]{0,500}>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const scrubbed = scrubSecrets(text, secrets);
  return scrubbed === '' ? undefined : scrubbed;
}

function toError(
  outerStatus: number,
  sentence: VendorSentence,
  secrets: readonly string[],
  headers: FailedReply['headers'],
): UpstreamError {
  const status = sentence.innerStatus ?? outerStatus;
  const kind = kindOf(status, sentence);
  const isPassing = kind === 'upstream-rate-limited' || kind === 'upstream-overloaded';
  const retryAfterMs = waitHintOf(headers, isPassing ? (sentence.message ?? '') : undefined);
  const reason = reasonOf(status, sentence);
  return {
    kind,
    blame: 'upstream',
    message: messageOf(kind, status, sentence, secrets),
    upstreamStatus: status,
    ...(sentence.type === undefined ? {} : { vendorType: scrubText(sentence.type, secrets) }),
    ...(sentence.code === undefined ? {} : { vendorCode: scrubText(sentence.code, secrets) }),
    ...(sentence.param === undefined ? {} : { vendorParam: scrubText(sentence.param, secrets) }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(reason === undefined ? {} : { reason }),
  };
}

function kindOf(status: number, sentence: VendorSentence): UpstreamKind {
  const words = [sentence.code, sentence.type];
  if (status === 402) return 'upstream-quota-spent';
  // OpenRouter answers 403 for a prompt that its moderation stopped, as it does for a key without rights.
  if (
    status === 403 &&
    /\b(?:input|prompt|content|request) was (?:flagged|blocked)/i.test(sentence.message ?? '')
  )
    return 'upstream-request-rejected';
  if (status === 401 || status === 403 || status === 429) {
    if (words.some((word) => word !== undefined && QUOTA_CODES.has(word))) return 'upstream-quota-spent';
    if (status === 429) return 'upstream-rate-limited';
    return 'upstream-key-refused';
  }
  if (status === 408 || status === 504 || status === 524) return 'upstream-timeout';
  if (status >= 500) {
    // Gateways in between answer 500 for what their own upstream refused.
    if (words.some((word) => word !== undefined && QUOTA_CODES.has(word))) return 'upstream-quota-spent';
    if (words.some((word) => word !== undefined && KEY_CODES.has(word))) return 'upstream-key-refused';
    return 'upstream-overloaded';
  }
  // xAI refuses a key as it refuses an argument.
  if (status === 400 && /^incorrect api key provided/i.test(sentence.message ?? ''))
    return 'upstream-key-refused';
  if (status >= 400) return 'upstream-request-rejected';
  return 'upstream-malformed';
}

function messageOf(
  kind: UpstreamKind,
  status: number,
  sentence: VendorSentence,
  secrets: readonly string[],
): string {
  // Neither whose account it is nor how it stands with its vendor is the caller's business.
  if (kind === 'upstream-key-refused') return refusal('channel-key-refused').message;
  if (kind === 'upstream-quota-spent') return refusal('channel-spent').message;
  const shown = sentence.message !== undefined && isSentence(sentence.message) ? sentence.message : '';
  const text = shown === '' ? '' : scrubText(shown, secrets);
  return text === '' ? refusal('status-alone', { status }).message : text;
}

/** Wrappers that are opened at most. */
const MAX_WRAPPERS = 4;
/** Statuses about the upstream's own account at a vendor behind it, not about the channel's. */
const ACCOUNT_STATUSES: ReadonlySet<number> = new Set([401, 402, 403]);

/** The innermost sentence and its kind, without those of the gateways around it. */
function readSentence(sent: unknown): VendorSentence {
  // Google streams lists, and some servers answer with a text alone.
  const first: unknown = Array.isArray(sent) ? sent[0] : sent;
  const document: unknown = typeof first === 'string' ? { message: first } : first;
  let sentence = readOuterSentence(document);
  let inside = isDocument(document) ? insideOf(document) : undefined;
  for (let depth = 0; inside !== undefined && depth < MAX_WRAPPERS; depth += 1) {
    const inner: VendorSentence =
      typeof inside === 'string' ? { ...NOTHING_SAID, message: inside } : readOuterSentence(inside);
    if (inner.message === undefined) {
      inside = typeof inside === 'string' ? undefined : insideOf(inside);
      continue;
    }
    const innerStatus = statusOfFailure(inner);
    const isAboutAccount = innerStatus !== undefined && ACCOUNT_STATUSES.has(innerStatus);
    sentence = isAboutAccount
      ? { ...sentence, message: inner.message }
      : {
          message: inner.message,
          type: inner.type ?? sentence.type,
          code: inner.code ?? sentence.code,
          param: inner.param ?? sentence.param,
          status: innerStatus ?? sentence.status,
          innerStatus: innerStatus ?? sentence.innerStatus,
        };
    inside = typeof inside === 'string' ? undefined : insideOf(inside);
  }
  return sentence;
}

const NOTHING_SAID: VendorSentence = {
  message: undefined,
  type: undefined,
  code: undefined,
  param: undefined,
  status: undefined,
};

/** First hit wins. */
function readOuterSentence(document: unknown): VendorSentence {
  if (!isDocument(document)) return NOTHING_SAID;
  const error = Array.isArray(document['error']) ? (document['error'] as unknown[])[0] : document['error'];
  const inner = documentOf(error);
  const baseResponse = documentOf(document['base_resp']);
  const first = documentOf(listOf(document['errors'])[0]);
  const message =
    text(inner['message']) ??
    // OAuth: a code, and a sentence beside it (RFC 6749, section 5.2).
    text(document['error_description']) ??
    text(error) ??
    text(document['message']) ??
    text(documentOf(document['message'])['detail']) ??
    detailsOf(documentOf(document['message'])['detail']) ??
    text(inner['msg']) ??
    text(document['msg']) ??
    text(document['err']) ??
    text(document['error_msg']) ??
    text(document['error_message']) ??
    text(document['errmsg']) ??
    text(document['err_msg']) ??
    text(document['detail']) ??
    detailsOf(document['detail']) ??
    text(first['message']) ??
    text(baseResponse['status_msg']) ??
    text(documentOf(document['header'])['message']) ??
    text(documentOf(documentOf(document['response'])['error'])['message']) ??
    text(document['description']) ??
    text(document['reason']) ??
    text(inner['reason']) ??
    text(documentOf(document['ErrorMsg'])['Msg']) ??
    text(documentOf(documentOf(document['Response'])['ErrorMsg'])['Msg']) ??
    // AWS, Tencent, Apigee.
    text(document['Message']) ??
    text(document['errorMessage']) ??
    text(documentOf(documentOf(document['Response'])['Error'])['Message']) ??
    text(documentOf(document['fault'])['faultstring']) ??
    text(document['title']);
  const grantCode = document['error_description'] === undefined ? undefined : text(error);
  const code =
    inner['code'] ?? document['code'] ?? grantCode ?? document['error_code'] ?? baseResponse['status_code'];
  return {
    message,
    type: text(inner['type']) ?? text(document['type']),
    code: text(code) ?? (typeof code === 'number' ? String(code) : undefined),
    param: text(inner['param']) ?? text(document['param']),
    status: statusOf(code, document, baseResponse),
  };
}

/** Entries of a validator: the place and the fault of the first of them (`body.tools.0: Extra inputs are not permitted`). */
function detailsOf(details: unknown): string | undefined {
  const { loc, msg } = documentOf(listOf(details)[0]);
  const fault = text(msg);
  const place = listOf(loc).filter((part) => typeof part === 'string' || typeof part === 'number');
  return fault === undefined || place.length === 0 ? fault : `${place.join('.')}: ${fault}`;
}

function statusOf(code: unknown, document: Document, baseResponse: Document): number | undefined {
  const minimax = baseResponse['status_code'];
  if (typeof minimax === 'number') return MINIMAX_STATUSES.get(minimax);
  const inner = documentOf(document['error']);
  const places = [code, inner['status'], inner['status_code'], inner['http_code']];
  for (const candidate of [
    ...places,
    document['status'],
    document['raw_status_code'],
    document['status_code'],
  ]) {
    const status =
      typeof candidate === 'string' && /^[45]\d\d$/.test(candidate) ? Number(candidate) : candidate;
    if (typeof status === 'number' && status >= 400 && status <= 599) return status;
  }
  return undefined;
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;
