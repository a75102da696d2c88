import type { AttemptUse, ChannelMarks } from '../model/channel-use.js';
import type { Route } from './channel-picker.js';

/** One attempt at a channel, as its limits count it. */
export interface LimitedAttempt {
  readonly channelId: number;
  readonly channelTag: string;
  /** Name the caller used. */
  readonly model: string;
  readonly most: AttemptUse;
}

/** An attempt that limits of its channel admitted. Exactly one of `settle`, `count` and `release` is called, once; later calls are ignored. */
export interface ChannelAdmission {
  /** Undefined = only requests or attempts in flight are limited: nothing goes on record. */
  readonly marks: ChannelMarks | undefined;
  /** A running answer may use more than was admitted. @returns false when a limit has no room for it */
  grow(by: AttemptUse): boolean | Promise<boolean>;
  /** The request leaves: it counts, whatever becomes of it. */
  markSent(): void;
  /** The use goes to the books with the settlement. */
  settle(used: AttemptUse): void;
  /** The use goes to the books without a settlement: a test of a channel. */
  count(used: AttemptUse): void;
  /** Nothing was used but the request, if it left. */
  release(): void;
}

/** A channel without room for an attempt. */
export interface FullChannel {
  /** Milliseconds since 1970; null = never by itself. */
  readonly opensAtMs: number | null;
}

export type ChannelVerdict =
  | { readonly type: 'admitted'; readonly admission: ChannelAdmission | undefined }
  | ({ readonly type: 'full' } & FullChannel);

/** Limits of channels and of their tags. Callers are shown neither use nor remainder of them. */
export abstract class ChannelLimits {
  /** True when a limit counts attempts of a model at the channel; without any limit at no cost. */
  abstract concerns(route: Pick<Route, 'channelId' | 'channelTag'>, model: string): boolean;

  /** Set for a channel whose settled use fills a limit, as far as this process knows; answers at once. */
  abstract findFull(route: Pick<Route, 'channelId' | 'channelTag'>, model: string): FullChannel | undefined;

  /** Sets the most an attempt may use aside. Answers at once where the worker's part has room. Never rejects. */
  abstract admit(attempt: LimitedAttempt): ChannelVerdict | Promise<ChannelVerdict>;
}
