import type { UserEntity } from '../../server/base/users/user.entity.js';
import type { ChannelEntity } from '../../server/gateway/channels/state/channel.entity.js';
import type { NewRedemption } from '../../server/console/redemptions/redemptions.repository.js';
import type { TokenEntity } from '../../server/gateway/tokens/token.entity.js';
import type { TopUpEntity } from '../../server/console/wallet/orders/top-up.entity.js';

/** An enabled account without a balance. */
export function userRow(changes: Partial<UserEntity> = {}): UserEntity {
  const username = changes.username ?? 'ann';
  return {
    id: 1,
    uid: null,
    username,
    usernameFolded: username,
    password: '',
    displayName: '',
    role: 1,
    status: 1,
    email: '',
    emailFolded: null,
    accessTokenDigest: null,
    quota: 0,
    quotaFloor: 0,
    usedQuota: 0,
    refundedQuota: 0,
    requestCount: 0,
    group: 'default',
    affCode: null,
    affCount: 0,
    affQuota: 0,
    affHistory: 0,
    inviterId: 0,
    githubId: null,
    oidcId: null,
    wechatId: null,
    telegramId: null,
    linuxDoId: null,
    githubIssuer: null,
    oidcIssuer: null,
    linuxDoIssuer: null,
    wechatIssuer: null,
    setting: '',
    authVersion: 1,
    createdAt: 0,
    lastLoginAt: 0,
    deletedAtMs: null,
    deletedBy: null,
    purgedAtMs: null,
    ...changes,
  };
}

/** An enabled API token of account 1 that never expires, limited to nothing. */
export const tokenRow = (changes: Partial<TokenEntity> = {}): TokenEntity => ({
  id: 1,
  userId: 1,
  keyDigest: 'digest',
  keyEncrypted: '',
  importId: 0,
  keyForm: '',
  keyEnding: '',
  status: 1,
  lockedAtMs: null,
  lockedById: 0,
  lockReason: '',
  statusBeforeLock: 1,
  refusedAtMs: null,
  refusedKind: '',
  refusedText: '',
  name: 'laptop',
  createdTime: 0,
  accessedTime: 0,
  expiredTime: -1,
  remainQuota: 0,
  unlimitedQuota: false,
  modelLimitsEnabled: false,
  modelLimits: '',
  allowIps: '',
  tags: '',
  needsEndUser: false,
  usedQuota: 0,
  refundedQuota: 0,
  group: '',
  deletedAtMs: null,
  deletedBy: null,
  wipedAtMs: null,
  ...changes,
});

/** An enabled channel of OpenAI's type, without key and models. */
export const channelRow = (changes: Partial<ChannelEntity> = {}): ChannelEntity => ({
  id: 1,
  type: 1,
  key: '',
  openAiOrganization: '',
  testModel: '',
  status: 1,
  name: 'main',
  weight: 0,
  priority: 0,
  createdTime: 0,
  testTime: 0,
  testFailure: '',
  responseTime: 0,
  baseUrl: '',
  other: '',
  balance: 0,
  balanceUpdatedTime: 0,
  models: '',
  group: 'default',
  usedQuota: 0,
  modelMapping: '',
  statusCodeMapping: '',
  autoBan: 1,
  otherInfo: '',
  tag: '',
  setting: '',
  paramOverride: '',
  headerOverride: null,
  settings: null,
  channelInfo: null,
  maxInputTokens: 0,
  remark: '',
  deletedAtMs: null,
  deletedBy: null,
  wipedAtMs: null,
  ...changes,
});

/** Columns of a redemption code of account 1 that does not expire. */
export const newRedemption = (changes: Partial<NewRedemption> = {}): NewRedemption => ({
  userId: 1,
  keyDigest: 'digest',
  keyEncrypted: '',
  name: 'gift',
  quota: 0,
  createdTime: 0,
  expiredTime: 0,
  ...changes,
});

/** A pending order of account 7 over 10.00 by alipay at epay, worth 5,000,000 quota. */
export const orderRow = (changes: Partial<TopUpEntity> = {}): TopUpEntity => ({
  id: 1,
  userId: 7,
  amount: 10,
  moneyMinor: 1_000,
  currency: '',
  quotaToCredit: 5_000_000,
  tradeNo: 'USR7NOABC1',
  provider: 'epay',
  paymentMethod: 'alipay',
  merchantId: 'shop',
  providerReference: null,
  providerTradeNo: null,
  status: 'pending',
  createTime: 1_700_000_000,
  completeTime: 0,
  nextQueryTime: 0,
  queries: 0,
  completedBy: 0,
  logPending: 0,
  ...changes,
});

/** The row as it is inserted: the database numbers it. */
export function withoutId<Row extends { readonly id: number }>(row: Row): Omit<Row, 'id'> {
  const { id: _, ...columns } = row;
  return columns;
}
