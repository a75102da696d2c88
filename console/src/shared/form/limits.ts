/**
 * Limits of the server that forms check while typing; texts are counted in characters. `test/drift/console-limits.e2e-spec.ts`
 * holds each to what the server takes.
 */
export const LIMITS = {
  accountReason: 200,
  channelName: 191,
  channelRemark: 255,
  channelTag: 191,
  codeName: 20,
  codeQuota: 1_000_000_000_000,
  codesAtOnce: 100,
  displayName: 20,
  groupDescription: 1_000,
  limitName: 100,
  limitReason: 500,
  mailAddress: 100,
  modelRatio: 1_000_000,
  /** A model, a group, a tool in the prices. */
  priceName: 255,
  priceNote: 500,
  orderReason: 1_000,
  passkeyName: 64,
  /** Limits of a new or changed password. */
  password: { min: 8, max: 128 },
  tokenLockReason: 200,
  tokenName: 30,
  /** Characters of a tag, and tags of a token. */
  tokenTag: 64,
  tokenTags: 10,
  /** Limits of names at registration and from administrators. */
  username: { min: 3, max: 12, given: 64 },
  weChatCode: 64,
  webhookSecret: 255,
  webhookUrl: 2_048,
} as const;
