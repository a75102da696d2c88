import type { StatusRanges } from '../model/status-ranges.js';

/** Operator's switches the relay reads on every call: one frozen object per options revision. */
export interface RelayOptions {
  /** Extra attempts on other channels, 0–5. */
  readonly retryTimes: number;
  readonly passThroughRequests: boolean;
  /** True for a group whose calls prefer native channels (those of the caller's API) among equal priority; absent = none does. */
  readonly prefersNative?: (group: string) => boolean;
  /** Upstream statuses after which another channel may be tried; absent = the usual ones. */
  readonly retryStatuses?: StatusRanges;
  /** Names whose `-thinking` ending belongs to them; absent = none. */
  readonly thinkingBlacklist?: readonly string[];
  readonly pingEnabled: boolean;
  readonly pingIntervalMs: number;
  readonly logErrors: boolean;
  readonly sensitiveWords: readonly string[];
  readonly firstByteTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly maxResponseBytes: number;
  /** Time for which a reply is read on after its client left, for its report; 0 = it is not. */
  readonly abandonedReadSeconds: number;
  /** Settings of one vendor's adapter each. */
  readonly claude: ClaudeOptions;
  readonly gemini: GeminiOptions;
  readonly drawings: DrawingOptions;
}

/** Which members of a drawing's submission are passed on to its vendor. */
export interface DrawingOptions {
  /** The caller's address for news of the drawing. */
  readonly passesNotifyHook: boolean;
  /** Which of the vendor's accounts draws. */
  readonly passesAccountFilter: boolean;
  /** `--fast`, `--relax` and `--turbo` are taken out of prompts. */
  readonly clearsModes: boolean;
}

export interface ClaudeOptions {
  /** Model → cap for calls without one; `default` for all others. */
  readonly defaultMaxTokens: Readonly<Record<string, number>>;
  /** Model → header → values, joined into the outgoing header. */
  readonly headers: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  readonly isThinkingAdapterOn: boolean;
  /** Share of max_tokens a `-thinking` name may think. */
  readonly thinkingBudgetShare: number;
}

export interface GeminiOptions {
  /** Harm category → threshold; `default` for all others. */
  readonly safetySettings: Readonly<Record<string, string>>;
  /** Model → API version; `default` for all others. */
  readonly versions: Readonly<Record<string, string>>;
  /** Models with image output. */
  readonly imageModels: readonly string[];
  readonly isThinkingAdapterOn: boolean;
  readonly thinkingBudgetShare: number;
  /** Function calls replayed without their thought signature get a stand-in. */
  readonly addsThoughtSignatures: boolean;
  /** Ids of function responses are left out. */
  readonly dropsFunctionResponseIds: boolean;
}

export abstract class RelayOptionsSource {
  abstract current(): RelayOptions;
}
