import type { UpstreamFormat } from '../../formats/contract/api-format.js';
import { rerank } from '../../formats/rerank/index.js';
import type { EmbeddingRequest } from '../../model/embedding.js';
import type { ItemBounds } from '../../model/item-bounds.js';
import type { Operation } from '../../model/operation.js';
import type { VendorDescription } from '../../model/vendor-description.js';
import type { Route } from '../../ports/channel-picker.js';
import type { MessagesEndpoint } from '../anthropic/operations.js';
import type { ChannelType } from '../channel-form.js';
import type { VendorChatProfile } from './chat-profiles.js';
import type { BuildOperation, MediaPaths } from './media-operations.js';
import type { Provider } from '../provider.js';
import type { BalanceReader } from '../shared/balance.js';

/** Path and format of document rankings. */
export interface RankPath {
  readonly path: string;
  readonly apiFormat: UpstreamFormat<'rerank'>;
}

/** The Messages endpoint a vendor of OpenAI's family keeps for Anthropic's clients. */
export interface VendorMessages {
  /** Behind the vendor's own base address, whatever version or prefix that was typed with. */
  readonly path?: string;
  /** Words of the base address field → the base address of Messages behind each. */
  readonly namedBases?: Readonly<Record<string, string>>;
  readonly key?: MessagesEndpoint['key'];
  readonly counts?: true;
}

/** Differences of a vendor that uses OpenAI's format, and nothing else. */
export interface CompatibleProfile {
  readonly id: string;
  /** Channel types it serves, as stored in channel rows; the first one names the provider. */
  readonly channelTypes: readonly [ChannelType, ...ChannelType[]];
  /** Empty = the channel must name one. */
  readonly defaultBaseUrl: string;
  /** Models offered when an operator asks to fill the list; empty = operators name them all. */
  readonly defaultModels: readonly string[];
  /** Reads the credit that is left; absent = the vendor reports none. */
  readonly balance?: BalanceReader;
  /** Most items of one call; absent = no bound is known. */
  readonly itemBounds?: ItemBounds;
  /** Operation by which a channel test tries a model (its name in lower case); undefined = as the name suggests. */
  readonly probeAs?: (model: string) => Operation | undefined;
  /** It offers OpenAI's realtime sessions. */
  readonly realtime?: true;
  /** Path of each operation behind the base address; a missing one is not supported. */
  readonly paths: { readonly [O in Operation]?: string } & { readonly models?: string };
  /** Words the base address field may hold instead of an address. */
  readonly namedBases?: Readonly<Record<string, string>>;
  /** The base address is the full address, `{model}` replaced; paths are ignored. */
  readonly baseIsFullAddress?: true;
  /** Paths of its own that operators type behind the base address, where they begin with more than a version. */
  readonly ownPath?: RegExp;
  /** Path that depends on the model's name or on the channel. */
  readonly pathFor?: (path: string, route: Pick<Route, 'upstreamModel' | 'other'>) => string;
  /** `stream_options` is taken out, and the vendor reports usage by itself or not at all. */
  readonly refusesStreamOptions?: true;
  /** Top-level members the vendor refuses. */
  readonly refusedMembers?: readonly string[];
  /** OpenAI's own reasoning models live here, with their refusals. */
  readonly hasReasoningModels?: true;
  readonly sendsOrganization?: true;
  /** The part of a composite credential that is the key. */
  readonly keyPart?: (credential: string) => string;
  readonly extraHeaders?: (route: Route) => Readonly<Record<string, string>> | undefined;
  /** Interface of its chats; absent = nothing beyond what every such server takes. */
  readonly description?: VendorDescription;
  /** Differences of its chats; absent = reasoning of the round that is open, and chat alone. */
  readonly chat?: VendorChatProfile;
  /** Edits its embedding requests, which are then written anew. Absent = as OpenAI's. */
  readonly changeEmbeddings?: (request: EmbeddingRequest, upstreamModel: string) => EmbeddingRequest;
  /** Images, sound and moderation; absent = none. */
  readonly media?: MediaPaths;
  /** Ranking of documents; absent = none. */
  readonly rank?: RankPath;
  /** The Messages endpoint kept for Anthropic's clients; absent = none. */
  readonly messages?: VendorMessages;
  /** Operations in formats of its own at the same address; absent = none. */
  readonly ownOperations?: (build: BuildOperation) => Provider['operations'];
  /** Channels may name paths of other APIs in their settings, since their address is the operator's choice. */
  readonly namesFormats?: true;
  /** Names in an answer of its model list, where they are not `data[].id`. */
  readonly readModelList?: (document: unknown) => readonly string[];
}

export const OPENAI_PATHS = {
  chat: '/v1/chat/completions',
  embed: '/v1/embeddings',
  models: '/v1/models',
} as const;

export const PLAIN_RANK: RankPath = { path: '/v1/rerank', apiFormat: rerank };
