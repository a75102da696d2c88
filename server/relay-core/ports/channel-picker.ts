import type { Result } from '../../common/result.js';
import type { Caller } from '../model/call.js';
import type { RelayError } from '../model/relay-error.js';

/** Destination of a call: one operator's account at one provider. */
export interface Route {
  readonly channelId: number;
  readonly channelName: string;
  /** Absent = the channel has none. */
  readonly channelTag?: string;
  /** Channel type code; the provider registry maps it to a provider. */
  readonly channelType: number;
  /** Base address without trailing slash; empty = the provider's default. */
  readonly baseUrl: string;
  /** The upstream credential in clear. Never logged, never sent anywhere but to this channel's address. */
  readonly credential: string;
  readonly organization: string;
  readonly other: string;
  /** Model name to send upstream, after the channel's mapping. */
  readonly upstreamModel: string;
  readonly isModelMapped: boolean;
  /** Merged over the request body; undefined = none. */
  readonly paramOverride: Readonly<Record<string, unknown>> | undefined;
  /** Headers laid over the provider's own, credentials excepted; undefined = none. */
  readonly headerOverride: Readonly<Record<string, string>> | undefined;
  /** Upstream status → status shown to the client and used by the retry rules. */
  readonly statusMapping: ReadonlyMap<number, number> | undefined;
  readonly settings: ChannelSettings;
  readonly autoBan: boolean;
  /** Position of the credential among the channel's keys; absent = the channel has one key. */
  readonly keyIndex?: number;
}

/** Parts of a route that identify its account at a vendor. */
export type VendorAccount = Pick<Route, 'channelId' | 'channelType' | 'baseUrl' | 'credential' | 'keyIndex'>;

/** Place of a stored object: the account at the vendor that answered. No other account knows it. */
export interface RequiredAccount {
  readonly channelId: number;
  /**
   * True when a route leads there: it has the same key at the same address, or is the channel that has one key, whichever it is by
   * now.
   */
  isAt(account: VendorAccount): boolean;
}

export interface ChannelSettings {
  /** http, https, socks5 address. */
  readonly proxy?: string;
  readonly passThrough?: boolean;
  readonly systemPrompt?: string;
  readonly systemPromptOverride?: boolean;
  readonly forceFormat?: boolean;
  readonly thinkingToContent?: boolean;
  /** In place of the general `abandonedReadSeconds`. */
  readonly abandonedReadSeconds?: number;
  /** Settings of one vendor's adapter, as stored (`aws_key_type`, `allow_service_tier`, …); absent = none. */
  readonly vendor?: Readonly<Record<string, unknown>>;
}

export interface PickInput {
  readonly caller: Caller;
  readonly model: string;
  readonly attempt: number;
  /** Channels of the failed attempts, one entry for each attempt. */
  readonly tried: readonly number[];
  /** Channel the call's conversation is bound to: taken on the first attempt when it serves the call. */
  readonly boundChannelId?: number | undefined;
  /**
   * Account that keeps an object the call names: no other account is chosen while that one may serve the call, and after two
   * failures of it none is left. If it does not serve the model the choice is as usual: the call may not need the object.
   */
  readonly requiredAccount?: RequiredAccount | undefined;
  /** Length of the prompt, estimated: channels that take shorter ones only are left out. Absent = unknown. */
  readonly promptTokens?: number | undefined;
  /** True for a channel whose API is the caller's: of equal priority such channels are chosen first. Absent = they are not. */
  readonly isNative?: ((route: Route) => boolean) | undefined;
  /** Channels whose limits have no room for the call: none of them is chosen. Absent = none. */
  readonly passedOver?: readonly number[] | undefined;
  /** The state to choose from; absent = the one in force. */
  readonly view?: ChannelView | undefined;
}

/** A state of the channels. A call keeps the one it was priced beside, so that it never works with two. */
export interface ChannelView {
  /** Models with an enabled channel in a group, sorted. */
  modelsOf(group: string): readonly string[];
}

export abstract class ChannelPicker {
  /** The state in force now; undefined = there is only one. */
  view(): ChannelView | undefined {
    return undefined;
  }

  /**
   * Chooses among the enabled channels of (group, model): attempt k looks at the k-th priority, inside it native channels
   * first where the input asks for that, then by weight;
   * channels already tried are left out unless nothing else is left, and none is tried more than twice, or once per key.
   * Fails: channel-unavailable.
   */
  abstract pick(input: PickInput): Result<Route, RelayError>;

  /** True when a channel that was not tried and whose circuit is closed may serve the call: then the same call again may succeed. */
  abstract hasUntried(input: Pick<PickInput, 'caller' | 'model' | 'tried'>): boolean;

  /** True when the channel is on, with the key by which the place is reached. */
  isOn(_place: RequiredAccount): boolean {
    return true;
  }

  /** Models with an enabled channel in a group, sorted. */
  abstract modelsOf(group: string): readonly string[];
}
