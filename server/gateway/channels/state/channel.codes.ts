/** Channel states: enabled, disabled by hand, disabled by the gateway itself. */
export const CHANNEL_STATUS = { enabled: 1, disabledByHand: 2, disabledAutomatically: 3 } as const;

/** Longest texts of a channel that have a column of their own length, in characters. */
export const CHANNEL_LENGTHS = {
  name: 191,
  organization: 255,
  testModel: 255,
  baseUrl: 512,
  tag: 191,
  remark: 255,
  testFailure: 500,
} as const;

/** Type of a channel whose creation names none: OpenAI. */
export const DEFAULT_CHANNEL_TYPE = 1;
