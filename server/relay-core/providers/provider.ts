import type { Result } from '../../common/result.js';
import type { CallShape } from '../model/call.js';
import type { MediaKind } from '../model/content.js';
import { type ItemBounds, type ListOperation, mostItems } from '../model/item-bounds.js';
import type { Operation } from '../model/operation.js';
import type { RelayError } from '../model/relay-error.js';
import type { VendorDescription } from '../model/vendor-description.js';
import type { Route } from '../ports/channel-picker.js';
import type { Clock } from '../../common/clock.js';
import type { UpstreamRequest } from '../ports/http-sender.js';
import type { RealtimeRequest } from '../ports/realtime-socket.js';
import type { RelayOptions } from '../ports/relay-options.js';
import type { VendorTokens } from '../ports/vendor-tokens.js';
import type { ChannelType } from './channel-form.js';
import type { BalanceReader } from './shared/balance.js';
import type {
  UpstreamFormat,
  NeutralRequest,
  ParsedCall,
  RequestEdits,
} from '../formats/contract/api-format.js';

/** A failed reply of an upstream: its status after the channel's mapping, and the first bytes of its body. */
export interface FailedReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** A good reply of a vendor that answers later. */
export interface FollowReply {
  /** Empty = the last poll failed, not the task: poll again. */
  readonly body: Buffer;
  /** Number of polls after the first request. */
  readonly asked: number;
  /** The last poll; undefined = none was sent after the first request. */
  readonly last: UpstreamRequest | undefined;
}

/** Facts of a call that a vendor's code may read. One per attempt. */
export interface ProviderCall {
  readonly route: Route;
  readonly shape: CallShape;
  readonly options: RelayOptions;
  /** Id of the caller's format. */
  readonly clientFormat: string;
  /** Top-level members of the caller's body, by name. */
  readonly members?: { has(name: string): boolean };
  /** Request headers of the caller that belong to its format; only for providers of the same format. */
  readonly vendorHeaders: Readonly<Record<string, string>> | undefined;
  /** The same for the query string. */
  readonly vendorQuery?: string;
}

/** Changes that a model name requests beside the model (`-thinking`, `-high`, …). */
export interface ModelAdaptation<O extends Operation> {
  /** The name the vendor knows. */
  readonly upstreamModel: string;
  /** Edits the request, which is then translated by the neutral model; absent = none. */
  readonly change?: (request: NeutralRequest<O>) => NeutralRequest<O>;
}

/** Dependencies of signing beside the request. */
export interface SigningPorts {
  readonly clock: Clock;
  readonly tokens: VendorTokens;
}

/** One operation at one vendor: its address, API format and differences. */
export interface ProviderOperation<O extends Operation> {
  readonly apiFormat: UpstreamFormat<O>;
  /** True when it serves the call's model; absent = always. */
  serves?(call: ProviderCall): boolean;
  /** Undefined = the name is only a name. */
  adapt?(call: ProviderCall): ModelAdaptation<O> | undefined;
  /** Absolute address. Fails: upstream-unreachable when the channel's base address cannot be used. */
  address(call: ProviderCall): Result<string, RelayError>;
  /** Headers from scratch: of the client's only `vendorHeaders` may pass. */
  headers(call: ProviderCall): Readonly<Record<string, string>>;
  /** Edits of every request for this vendor and model. */
  edits(
    call: ProviderCall,
  ): Pick<RequestEdits, 'dropStreamOptions' | 'usesCompletionCap' | 'refusedMembers' | 'defaultOutputCap'>;
  /** The vendor's interface, to which each call is fitted. Absent, or undefined = all that the format has. */
  describe?(call: ProviderCall): VendorDescription | undefined;
  /** True when the vendor needs the file's bytes where the caller gave its address; absent = never. */
  needsBytes?(media: MediaKind, url: string, call: ProviderCall): boolean;
  /** Schemes of files' addresses that the vendor opens beside `http` and `https`; absent = none. */
  readonly fileSchemes?: readonly string[];
  /** Prefix of addresses that the vendor opens with the channel's own credentials (`gs://`); absent = it opens none. */
  readonly ownStore?: string;
  /**
   * Credentials that depend on the finished request or have to be fetched first.
   * Fails: upstream-key-refused, upstream-unreachable and the like.
   */
  sign?(
    request: UpstreamRequest,
    call: ProviderCall,
    signing: SigningPorts,
  ): Result<UpstreamRequest, RelayError> | Promise<Result<UpstreamRequest, RelayError>>;
  /**
   * Cache key of the access token that a failure reports as expired: another is fetched, and the call sent once more.
   * Undefined = the failure is about something else.
   */
  staleToken?(error: RelayError, route: Route): string | undefined;
  /** For vendors that answer later: what to ask when a good reply is not the answer yet; undefined = it is. */
  follow?(
    reply: FollowReply,
    call: ProviderCall,
  ): { readonly request: UpstreamRequest; readonly afterMs: number } | undefined;
  /**
   * For vendors that finish an answer even when it is not read: the request that stops them; undefined = nothing can.
   * @param underWay  the vendor's ids of the answer, as the format's meter found them
   */
  cancel?(underWay: Readonly<Record<string, string>>, route: Route): UpstreamRequest | undefined;
  /** Understands a failure; its sentences are fit for callers. */
  readError(reply: FailedReply, route: Route): RelayError;
  /** Understands a failure that came inside a 200, as the format's meter found it. */
  readErrorDocument(document: unknown, route: Route): RelayError;
  /** Present where the vendor counts tokens. */
  readonly count?: ProviderCount;
}

/** A vendor's token count of a prompt, for callers of its own format. Nothing is charged for it. */
export interface ProviderCount {
  /** Absolute address. Fails as `address` of the operation. */
  address(call: ProviderCall): Result<string, RelayError>;
  /** The caller's request as the vendor takes it. */
  write(parsed: ParsedCall<'chat'>, upstreamModel: string): Buffer;
  /** Tokens in the vendor's answer; undefined = it holds none. */
  read(document: unknown): number | undefined;
}

/** A vendor. */
export interface Provider {
  readonly id: string;
  /** Channel types it serves; people read the name of the type. */
  readonly channelTypes: readonly ChannelType[];
  /**
   * Candidates for each operation, best first: of those that serve the model, the one in the caller's format is
   * taken, else the first. A missing key = not supported.
   */
  readonly operations: { readonly [O in Operation]?: readonly ProviderOperation<O>[] };
  /** Operations of one channel in place of `operations`; undefined or absent = there are none. */
  operationsAt?(route: Route): Provider['operations'] | undefined;
  /** Most items of one call; a call with more is sent in parts. Absent = no bound is known. */
  readonly itemBounds?: ItemBounds | ((route: Route) => ItemBounds | undefined);
  /** Base address of a channel that names none; empty = it must name one. */
  readonly defaultBaseUrl: string;
  /** Words the base address field may hold instead of an address; absent = none. */
  readonly namedBases?: Readonly<Record<string, string>>;
  /** Requests ask for usage of streams by `stream_options`; absent = the vendor reports it in its own way. */
  readonly asksForUsage?: true;
  /** Models offered when an operator asks to fill the list. */
  readonly defaultModels: readonly string[];
  /** Reads the credit that is left; absent = the vendor reports none. */
  readonly balance?: BalanceReader;
  /** Operation by which a channel test tries a model (its name in lower case); undefined = as the name suggests. */
  readonly probeAs?: (model: string) => Operation | undefined;
  /**
   * The handshake of a realtime session; absent = the vendor offers none.
   * @param asBrowser  the caller's key came as a subprotocol, so the upstream's goes that way too
   * Fails: upstream-unreachable when the base address cannot be used.
   */
  readonly realtime?: (route: Route, asBrowser: boolean) => Result<RealtimeRequest, RelayError>;
  /** Paths of tasks that operators type behind the base address; absent = none. */
  readonly taskPath?: RegExp;
  /** Address of the vendor's model list; undefined = it has none. Fails as `address`. */
  modelListAddress(route: Route): Result<string, RelayError> | undefined;
  /** Headers of a model list request. */
  modelListHeaders(route: Route): Readonly<Record<string, string>>;
  /** Names in an answer of the model list; absent = `data[].id`, `models[].name` or a bare list. */
  readModelList?(document: unknown): readonly string[];
}

/** Most items of one call at a channel; undefined = no bound is known. */
export function mostItemsOf(
  { itemBounds }: Pick<Provider, 'itemBounds'>,
  operation: ListOperation,
  route: Route,
): number | undefined {
  const bounds = typeof itemBounds === 'function' ? itemBounds(route) : itemBounds;
  return mostItems(bounds, operation, route.upstreamModel);
}

/** Name of a channel type that the provider serves; empty = it serves no such type. */
export const typeNameOf = ({ channelTypes }: Provider, typeCode: number): string =>
  channelTypes.find(({ code }) => code === typeCode)?.name ?? '';

/** Finds the operation by which a provider serves a call; undefined = none. */
export function findOperation<O extends Operation>(
  provider: Provider,
  operation: O,
  call: ProviderCall,
): ProviderOperation<O> | undefined {
  const operations = provider.operationsAt?.(call.route) ?? provider.operations;
  const candidates: readonly ProviderOperation<O>[] | undefined = operations[operation];
  if (candidates === undefined) return undefined;
  let first: ProviderOperation<O> | undefined;
  for (const candidate of candidates) {
    if (candidate.serves?.(call) === false) continue;
    if (candidate.apiFormat.id === call.clientFormat) return candidate;
    first ??= candidate;
  }
  return first;
}

/** True when the provider serves the call in the format of the caller. */
export const isNative = <O extends Operation>(
  provider: Provider,
  operation: O,
  call: ProviderCall,
): boolean => findOperation(provider, operation, call)?.apiFormat.id === call.clientFormat;
