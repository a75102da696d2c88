import type { Result } from '../../common/result.js';
import type { LimitFigures } from '../model/limit-refusal.js';
import type { Operation } from '../model/operation.js';
import type { RelayError } from '../model/relay-error.js';
import type { ClientFormat } from '../formats/contract/api-format.js';

/** Request headers as they came; names in lower case. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** An address of this dialect, with its operation and API format. A `:model` in the path names the model. */
export type DialectRoute = { readonly [O in Operation]: RouteOf<O> }[Operation];

export interface RouteOf<O extends Operation> {
  readonly method: 'POST';
  /** In the router's own notation: `:model(^.+)::verb` is a model name before a colon and a verb. */
  readonly path: string;
  readonly operation: O;
  readonly apiFormat: ClientFormat<O>;
  /** Absent = JSON. */
  readonly bodyType?: 'json' | 'multipart' | 'json-or-multipart';
  /** Present: the address only counts the prompt's tokens (pipeline/count-call.ts), and this writes the answer. */
  readonly writeCount?: (tokens: number) => Buffer;
}

/** A whole reply in a dialect's shape. */
export interface GatewayReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** An API that clients use: addresses, where the key sits, how failures look. Names no vendor. */
export interface Dialect {
  readonly id: string;
  readonly routes: readonly DialectRoute[];
  /**
   * The credential's text as the client sent it, isolated from its scheme.
   * @param query  query string without its question mark
   * Fails: unauthenticated, when there is none, when it is not one credential, or when two differ.
   */
  findCredential(headers: RequestHeaders, query: string): Result<string, RelayError>;
  writeError(error: RelayError, callId: string): GatewayReply;
  /**
   * Headers of the caller's narrowest limits; absent = this API has none.
   * @param nowMs  milliseconds since 1970
   */
  readonly limitHeaders?: (figures: LimitFigures, nowMs: number) => Readonly<Record<string, string>>;
  /** Writes the failure as a frame of a running stream. */
  writeErrorFrame(error: RelayError, callId: string): string;
}
