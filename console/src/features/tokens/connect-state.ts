import type { Schemas } from '../../api/schemas';
import type { Token } from './api';
import { TOKEN_STATUS } from './token.labels';

export type TokenActivity = Readonly<Schemas['TokenActivity']>;

/** Groups of refusals with a text each. */
export type RefusalReason = 'key' | 'address' | 'model' | 'quota' | 'rate' | 'upstream' | 'request';

export type ConnectState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'connected'; readonly at: number; readonly model: string; readonly requestId: string }
  | {
      readonly kind: 'refused';
      readonly at: number;
      readonly reason: RefusalReason;
      /** The sentence that the client was answered. */
      readonly message: string;
    }
  /** Calls will be refused, by what the token itself shows. */
  | { readonly kind: 'closed'; readonly status: 'disabled' | 'expired' | 'exhausted' };

/** The state of a connection from the last call and the last refusal; of one second, the call counts. */
export function connectState(
  token: Pick<Token, 'status'>,
  activity: TokenActivity | undefined,
): ConnectState {
  const call = activity?.last_call ?? null;
  const refusal = activity?.last_refusal ?? null;
  if (refusal !== null && (call === null || refusal.at > call.at))
    return {
      kind: 'refused',
      at: refusal.at,
      reason: reasonOf(refusal.kind),
      message: refusal.message,
    };
  if (token.status === TOKEN_STATUS.disabled) return { kind: 'closed', status: 'disabled' };
  if (token.status === TOKEN_STATUS.expired) return { kind: 'closed', status: 'expired' };
  if (token.status === TOKEN_STATUS.exhausted) return { kind: 'closed', status: 'exhausted' };
  if (call === null) return { kind: 'waiting' };
  return { kind: 'connected', at: call.at, model: call.model, requestId: call.request_id };
}

const REASONS: Readonly<Record<string, RefusalReason>> = {
  unauthenticated: 'key',
  'account-banned': 'key',
  forbidden: 'key',
  'address-refused': 'address',
  'model-refused': 'model',
  'model-not-found': 'model',
  'price-missing': 'model',
  'channel-unavailable': 'model',
  'quota-insufficient': 'quota',
  'rate-limited': 'rate',
};

const reasonOf = (kind: string): RefusalReason =>
  REASONS[kind] ?? (kind.startsWith('upstream-') ? 'upstream' : 'request');
