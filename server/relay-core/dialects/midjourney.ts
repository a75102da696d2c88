import { ok } from '../../common/result.js';
import { quotaCode, type RelayError, shownUpstreamStatus } from '../model/relay-error.js';
import { limitCode, limitIn } from '../model/full-limit.js';
import { STATUS_OF_KIND } from '../model/status-of-kind.js';
import { midjourneySubmit } from '../formats/midjourney-submit/index.js';
import { DRAWING_KINDS } from '../formats/midjourney-submit/drawing-kinds.js';
import { openaiLimitHeaders } from '../model/limit-figures.js';
import type { Dialect, DialectRoute, RequestHeaders, GatewayReply } from './dialect.js';
import { openai } from './openai.js';
import { OPENAI_ERROR_CODES } from './openai-error.js';
import { jsonError } from './json-error.js';

/** Failure codes of this protocol: validation, the group is full, anything else. */
const VALIDATION = 4;
const SATURATED = 30;
const FAILURE = 9;
/** The word clients of other gateways send in the place of a key, beside the key in a header of its own. */
const PLACEHOLDERS: ReadonlySet<unknown> = new Set([
  undefined,
  '',
  'midjourney-proxy',
  'Bearer midjourney-proxy',
]);

/**
 * Modes clients put before an address (`/mj-fast/mj/…`); the rest of the address is the same, and the mode is not sent to the
 * vendor.
 */
export const DRAWING_MODES = ['/mj-fast', '/mj-turbo', '/mj-relax'] as const;

const routes: readonly DialectRoute[] = DRAWING_KINDS.flatMap((kind) => {
  const apiFormat = midjourneySubmit(kind);
  return ['', ...DRAWING_MODES].map((mode): DialectRoute => ({
    method: 'POST',
    path: mode + kind.path,
    operation: 'submit',
    apiFormat,
  }));
});

/** The client API of midjourney-proxy's clients. */
export const midjourneyDialect: Dialect = {
  id: 'midjourney',
  routes,
  findCredential(headers: RequestHeaders, query) {
    const secret = headers['mj-api-secret'];
    if (typeof secret === 'string' && secret.trim() !== '' && PLACEHOLDERS.has(headers['authorization']))
      return ok(secret.trim());
    return openai.findCredential(headers, query);
  },
  writeError,
  limitHeaders: openaiLimitHeaders,
  writeErrorFrame: (error, callId) => writeError(error, callId).body.toString('utf8'),
};

/** `{description, type, code}`; the description ends with the call id, by which an operator finds the call. */
function writeError(error: RelayError, callId: string): GatewayReply {
  const code = quotaCode(error) ?? limitCode(error);
  const limit = limitIn(error);
  const body = {
    description: `${error.message} (request id: ${callId})`,
    type: error.blame === 'upstream' ? 'upstream_error' : OPENAI_ERROR_CODES[error.kind].type,
    code: codeOf(error),
    ...(code === undefined ? {} : { properties: { code, ...(limit === undefined ? {} : { limit }) } }),
  };
  return jsonError(statusOf(error), JSON.stringify(body), error);
}

function codeOf(error: RelayError): number {
  if (error.kind === 'rate-limited' || error.kind === 'upstream-rate-limited') return SATURATED;
  const vendorCode = error.blame === 'upstream' ? Number(error.vendorCode) : Number.NaN;
  if (Number.isSafeInteger(vendorCode)) return vendorCode;
  return error.blame === 'caller' ? VALIDATION : FAILURE;
}

/** A vendor's word inside a 200 is a 400 to these clients, whatever it counts as to us; 429 stays one. */
function statusOf(error: RelayError): number {
  if (error.kind === 'upstream-rate-limited') return 429;
  if (error.blame !== 'upstream') return STATUS_OF_KIND[error.kind];
  if (error.vendorCode !== undefined && error.isStatusMapped !== true) return 400;
  return shownUpstreamStatus(error) ?? STATUS_OF_KIND[error.kind];
}
