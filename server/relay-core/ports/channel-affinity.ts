import type { Caller, IncomingCall } from '../model/call.js';
import type { ScannedObject } from '../framing/json-splice.js';

/** The conversation a call belongs to. */
export interface Conversation {
  /** Opaque name under which its channel is remembered; holds nothing of the caller's in clear. */
  readonly key: string;
  /** Channel it went to last; undefined = none yet. */
  readonly boundChannelId: number | undefined;
  /** No other channel is tried when the bound one fails. */
  readonly staysOnFailure: boolean;
  /** Parameter override for calls of this kind, before the channel's own; undefined = none. */
  readonly paramOverride: Readonly<Record<string, unknown>> | undefined;
  readonly ttlMs: number;
}

/** Keeps calls of one conversation on one channel, so that the vendor finds its prompt cache. */
export abstract class ChannelAffinity {
  /** Undefined = the call belongs to no conversation. Never fails: a store that is away means "no channel yet". */
  abstract find(input: {
    readonly call: IncomingCall;
    readonly caller: Caller;
    readonly model: string;
    readonly document: ScannedObject;
  }): Conversation | undefined | Promise<Conversation | undefined>;

  /** After an answer with a status below 400. */
  abstract recordSuccess(conversation: Conversation, channelId: number): void;
}
