import type { Result } from '../../common/result.js';
import type { Operation } from '../model/operation.js';
import type { RelayError } from '../model/relay-error.js';
import type { Route } from '../ports/channel-picker.js';
import type { BackWire, RequestEdits } from '../wire/wire.js';

/** A failed reply of an upstream: its status after the channel's mapping, and the first bytes of its body. */
export interface FailedReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** One operation at one vendor: where it lives, which grammar it speaks, how it differs. */
export interface ProviderOperation<O extends Operation> {
  readonly wire: BackWire<O>;
  /** Absolute address. Fails: upstream-unreachable when the channel's base address cannot be used (CH-04). */
  address(route: Route): Result<string, RelayError>;
  /** Headers from scratch: nothing of the client's passes (RLY-01, RLY-02). */
  headers(route: Route, stream: boolean): Readonly<Record<string, string>>;
  /** Differences of this vendor and model from the wire. */
  quirks(route: Route): Pick<RequestEdits, 'dropStreamOptions' | 'usesCompletionCap' | 'refusedMembers'>;
  /** Understands a failure; its sentences are fit for callers. */
  readError(reply: FailedReply, route: Route): RelayError;
  /** Understands a failure that came inside a 200, as the wire's meter found it. */
  readErrorDocument(document: unknown, route: Route): RelayError;
}

/** A vendor. */
export interface Provider {
  readonly id: string;
  readonly name: string;
  /** Channel type codes it serves. */
  readonly typeCodes: readonly number[];
  /** A missing key is the answer to "supported?". */
  readonly operations: { readonly [O in Operation]?: ProviderOperation<O> };
  /** Base address of a channel that names none; empty = it must name one. */
  readonly defaultBaseUrl: string;
  /** Models offered when an operator asks to fill the list. */
  readonly defaultModels: readonly string[];
  /** Address of the vendor's model list; undefined = it has none. Fails as `address`. */
  modelListAddress(route: Pick<Route, 'baseUrl' | 'channelType'>): Result<string, RelayError> | undefined;
}
