import { fail, ok, type Result } from '../../common/result.js';
import { refusal, requestRefusal } from '../model/refusals.js';
import type { RelayError } from '../model/relay-error.js';
import type { RequestHeaders } from './dialect.js';
import { openaiErrorBody } from './openai-error.js';
import { openai } from './openai.js';

const KEY_PREFIX = 'openai-insecure-api-key.';
const MAX_MODEL_LENGTH = 256;

/** Credential of a realtime session, and the way it came. */
export interface RealtimeCredential {
  readonly credential: string;
  /** The key came as a subprotocol: browsers cannot set headers. */
  readonly asBrowser: boolean;
}

/**
 * The key of a handshake: as a subprotocol, which comes before `Authorization`.
 * Fails: unauthenticated.
 */
export function findRealtimeCredential(
  headers: RequestHeaders,
  query: string,
): Result<RealtimeCredential, RelayError> {
  const keys = protocolsOf(headers).filter((protocol) => protocol.startsWith(KEY_PREFIX));
  if (keys.length > 1) return fail(refusal('keys-sent'));
  const [key] = keys;
  if (key !== undefined) return ok({ credential: key.slice(KEY_PREFIX.length), asBrowser: true });
  const found = openai.findCredential(headers, query);
  return found.ok ? ok({ credential: found.value, asBrowser: false }) : found;
}

/** Subprotocols a client offered. */
function protocolsOf(headers: RequestHeaders): readonly string[] {
  const text = headers['sec-websocket-protocol'];
  if (typeof text !== 'string') return [];
  return text.split(',').map((protocol) => protocol.trim());
}

/** The model of `?model=`. Fails: invalid-request. */
export function realtimeModel(query: string): Result<string, RelayError> {
  const named = new URLSearchParams(query).getAll('model');
  const [model = ''] = named;
  if (named.length > 1 || model === '' || model.length > MAX_MODEL_LENGTH) {
    return fail(requestRefusal('Name one model in the address: /v1/realtime?model=NAME.', 'model'));
  }
  return ok(model);
}

/** A failure as an event of the session. */
export function realtimeErrorEvent(error: RelayError, callId: string): string {
  const inner = openaiErrorBody(error, callId).slice(1, -1);
  return `{"type":"error","event_id":"evt_${callId}",${inner}}`;
}
