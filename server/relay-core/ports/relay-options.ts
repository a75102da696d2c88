/** Operator's switches the relay reads on every call: one frozen object per options revision. */
export interface RelayOptions {
  readonly revision: number;
  /** Extra attempts on other channels, 0–5. */
  readonly retryTimes: number;
  readonly passThroughRequests: boolean;
  readonly pingEnabled: boolean;
  readonly pingIntervalMs: number;
  /** Output tokens a call without a cap is assumed to make. */
  readonly preConsumedTokens: number;
  readonly logConsumption: boolean;
  readonly logErrors: boolean;
  readonly sensitiveWords: readonly string[];
  readonly firstByteTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly maxResponseBytes: number;
}

export abstract class RelayOptionsSource {
  abstract current(): RelayOptions;
}
