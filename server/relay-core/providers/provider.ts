import type { Result } from '../../common/result.js';
import type { CallShape } from '../model/call.js';
import type { MediaKind } from '../model/content.js';
import type { Operation } from '../model/operation.js';
import type { RelayError } from '../model/relay-error.js';
import type { Route } from '../ports/channel-picker.js';
import type { Clock } from '../../common/clock.js';
import type { UpstreamRequest } from '../ports/http-sender.js';
import type { RelayOptions } from '../ports/relay-options.js';
import type { VendorTokens } from '../ports/vendor-tokens.js';
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
  /** Empty = the last question failed, not the task: it may be asked again. */
  readonly body: Buffer;
  /** How often was asked after the first time. */
  readonly asked: number;
  /** The last question; undefined = none was asked after the first. */
  readonly last: UpstreamRequest | undefined;
}

/** What a vendor's half of a call may look at. One per attempt. */
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

/** What a model name asks for beside the model (`-thinking`, `-high`, …). */
export interface ModelAdaptation<O extends Operation> {
  /** The name the vendor knows. */
  readonly upstreamModel: string;
  /** What else changes; its presence makes the call go by way of the neutral model. */
  readonly change?: (request: NeutralRequest<O>) => NeutralRequest<O>;
}

/** What signing may need beside the request. */
export interface SigningPorts {
  readonly clock: Clock;
  readonly tokens: VendorTokens;
}

/** One operation at one vendor: where it lives, which grammar it speaks, how it differs. */
export interface ProviderOperation<O extends Operation> {
  readonly apiFormat: UpstreamFormat<O>;
  /** Whether it serves the call's model; absent = always. */
  serves?(call: ProviderCall): boolean;
  /** Undefined = the name is only a name. */
  adapt?(call: ProviderCall): ModelAdaptation<O> | undefined;
  /** Absolute address. Fails: upstream-unreachable when the channel's base address cannot be used. */
  address(call: ProviderCall): Result<string, RelayError>;
  /** Headers from scratch: of the client's only `vendorHeaders` may pass. */
  headers(call: ProviderCall): Readonly<Record<string, string>>;
  /** What is changed in every request because of this vendor and model. */
  edits(
    call: ProviderCall,
  ): Pick<RequestEdits, 'dropStreamOptions' | 'usesCompletionCap' | 'refusedMembers' | 'defaultOutputCap'>;
  /** Whether the vendor wants the file's bytes where the caller gave its address; absent = never. */
  needsBytes?(media: MediaKind, url: string, call: ProviderCall): boolean;
  /** Schemes of files' addresses that the vendor opens beside `http` and `https`; absent = none. */
  readonly fileSchemes?: readonly string[];
  /** How addresses begin that the vendor opens with the channel's own credentials (`gs://`); absent = it opens none. */
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
   * What the access token is remembered under that a failure says is no longer taken: another is fetched, and the call sent once more.
   * Undefined = the failure is about something else.
   */
  staleToken?(error: RelayError, route: Route): string | undefined;
  /** For vendors that answer later: what to ask when a good reply is not the answer yet; undefined = it is. */
  follow?(
    reply: FollowReply,
    call: ProviderCall,
  ): { readonly request: UpstreamRequest; readonly afterMs: number } | undefined;
  /**
   * For vendors that finish an answer whether or not somebody reads it: what tells them to stop; undefined = nothing can.
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

/** How a vendor counts a prompt's tokens for callers of its own format. Nothing is charged for it. */
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
  /** Channel type codes it serves; what people read is the name of the type (channel-types.ts). */
  readonly typeCodes: readonly number[];
  /**
   * What serves each operation, best first: of those that serve the model, the one that speaks the caller's format is
   * taken, else the first. A missing key is the answer to "supported?".
   */
  readonly operations: { readonly [O in Operation]?: readonly ProviderOperation<O>[] };
  /** Base address of a channel that names none; empty = it must name one. */
  readonly defaultBaseUrl: string;
  /** Models offered when an operator asks to fill the list. */
  readonly defaultModels: readonly string[];
  /** Address of the vendor's model list; undefined = it has none. Fails as `address`. */
  modelListAddress(route: Route): Result<string, RelayError> | undefined;
  /** Headers the model list is asked for with. */
  modelListHeaders(route: Route): Readonly<Record<string, string>>;
  /** Names in an answer of the model list; absent = `data[].id`, `models[].name` or a bare list. */
  readModelList?(document: unknown): readonly string[];
}

/** How a provider serves a call; undefined = not at all. */
export function findOperation<O extends Operation>(
  provider: Provider,
  operation: O,
  call: ProviderCall,
): ProviderOperation<O> | undefined {
  const candidates: readonly ProviderOperation<O>[] | undefined = provider.operations[operation];
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
