import type { Result } from '../../common/result.js';
import type { Operation } from '../model/operation.js';
import type { RelayError } from '../model/relay-error.js';
import type { FrontWire } from '../wire/wire.js';

/** Request headers as they came; names in lower case. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** An address of this dialect. A `:model` in the path names the model. */
export interface DialectRoute {
  readonly method: 'POST';
  readonly path: string;
  readonly operation: Operation;
}

/** A whole reply in a dialect's shape. */
export interface WireReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A door clients use: addresses, where the key sits, how failures look. Names no vendor. */
export interface Dialect {
  readonly id: string;
  readonly routes: readonly DialectRoute[];
  /** A missing key is the answer to "supported?". */
  readonly operations: { readonly [O in Operation]?: FrontWire<O> };
  /**
   * The credential's text as the client sent it, isolated from its scheme.
   * Fails: unauthenticated, when there is none, when it is not one credential, or when two differ.
   */
  findCredential(headers: RequestHeaders): Result<string, RelayError>;
  writeError(error: RelayError, callId: string): WireReply;
  /** The failure as a frame of a stream that is already under way. */
  writeErrorFrame(error: RelayError, callId: string): string;
}
