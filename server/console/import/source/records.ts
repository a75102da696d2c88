import type { Sentence } from '../../../common/import-sentences/sentence.js';
import type { ImportedTask } from '../../../gateway/tasks/imported-tasks.js';
import type { ImportedPasskey } from '../../passkeys/imported-passkeys.js';
import type { ImportedLimit } from '../../../base/limits/imported-limits.js';

/** Form of a stored password: `none` = there is none, or none that may be used. */
export type PasswordForm = 'none' | 'bcrypt' | 'scrypt' | 'sha256' | 'plain';

/** Outside identities that are carried over, by their column here. */
export interface Bindings {
  readonly githubId?: string;
  readonly oidcId?: string;
  readonly wechatId?: string;
  readonly telegramId?: string;
  readonly linuxDoId?: string;
}

/** An account of the source, in the words of this product. */
export interface SourceUser {
  readonly sourceId: string;
  /** Number it had; null = it had none. */
  readonly number: number | null;
  readonly username: string;
  readonly displayName: string;
  /** 1 user, 10 administrator, 100 root. */
  readonly role: number;
  /** 1 active, 2 banned. */
  readonly status: number;
  /** Milliseconds; null = not deleted. */
  readonly deletedAtMs: number | null;
  readonly password: string;
  readonly passwordForm: PasswordForm;
  readonly email: string;
  readonly group: string;
  /** Empty = none. */
  readonly accessToken: string;
  readonly affCode: string;
  readonly affCount: number;
  readonly affQuota: number;
  readonly affHistory: number;
  /** Source id of the account that invited it; empty = none. */
  readonly inviter: string;
  readonly bindings: Bindings;
  /** JSON of the settings that have a counterpart; empty = all defaults. */
  readonly setting: string;
  /** Seconds; 0 = not known. */
  readonly createdAt: number;
  readonly lastLoginAt: number;
  readonly quota: number;
  readonly usedQuota: number;
  readonly requestCount: number;
  /** Base32 secret of the authenticator app; empty = none. */
  readonly totpSecret: string;
  readonly passkeys: readonly ImportedPasskey[];
  /** The person had a second factor that cannot be kept. */
  readonly hasLostFactor: boolean;
}

export type SourceKey =
  /** Without its prefix `sk-`. */
  | { readonly form: 'plain'; readonly text: string }
  /** Lower-case hexadecimal SHA-256 of the whole key. */
  | { readonly form: 'sha256'; readonly digest: string; readonly ending: string };

export interface SourceToken {
  readonly sourceId: string;
  readonly number: number | null;
  /** Source id of its owner. */
  readonly owner: string;
  readonly key: SourceKey;
  readonly name: string;
  /** Reason to arrive switched off; null = it arrives as it was. */
  readonly offReason: Sentence | null;
  /** It was switched off there by hand. */
  readonly isOff: boolean;
  readonly createdTime: number;
  readonly accessedTime: number;
  /** Seconds; -1 = never. */
  readonly expiredTime: number;
  /** 0 while unlimited. */
  readonly remainQuota: number;
  readonly isUnlimited: boolean;
  readonly usedQuota: number;
  /** Null = every model. */
  readonly models: readonly string[] | null;
  /** Addresses and ranges, one a line; empty = all. */
  readonly allowIps: string;
  /** Empty = the owner's group. */
  readonly group: string;
  readonly deletedAtMs: number | null;
}

export interface SourceChannel {
  readonly sourceId: string;
  readonly number: number | null;
  /** Type by the numbers of this product; null = it has no counterpart. */
  readonly type: number | null;
  /** Name of the type in the source. */
  readonly typeName: string;
  readonly name: string;
  /** One a line. */
  readonly key: string;
  readonly status: number;
  readonly statusReason: string;
  readonly statusTime: number;
  /** Everything else by its member of the channel form, unchecked. */
  readonly fields: Readonly<Record<string, string | number | null>>;
  /** State of several keys, JSON text; empty = one key. */
  readonly channelInfo: string;
  readonly usedQuota: number;
  readonly createdTime: number;
  readonly testTime: number;
  readonly responseTime: number;
  readonly balance: number;
  readonly balanceUpdatedTime: number;
  /** Reasons to arrive switched off. */
  readonly offReasons: readonly Sentence[];
}

export interface SourceCode {
  readonly sourceId: string;
  readonly code: string;
  readonly creator: string;
  readonly status: number;
  readonly name: string;
  readonly quota: number;
  readonly createdTime: number;
  readonly redeemedTime: number;
  readonly expiredTime: number;
  readonly usedBy: string;
  readonly deletedAtMs: number | null;
}

export interface SourceOrder {
  readonly sourceId: string;
  readonly owner: string;
  /** Whole dollars. */
  readonly amount: number;
  /** Smallest part of the currency. */
  readonly moneyMinor: number;
  readonly currency: string;
  readonly quota: number;
  readonly tradeNo: string;
  readonly provider: 'epay' | 'stripe';
  readonly method: string;
  readonly merchantId: string;
  readonly status: 'pending' | 'success' | 'expired';
  readonly createTime: number;
  readonly completeTime: number;
}

/** A finished drawing or task. */
export interface SourceTask extends ImportedTask {
  readonly sourceId: string;
  /** Source ids; empty = none. */
  readonly owner: string;
  readonly channel: string;
  readonly token: string;
}

/** A limit per period. */
export interface SourceLimit extends Omit<ImportedLimit, 'scope'> {
  readonly sourceId: string;
  readonly scope: 'token' | 'account' | 'call_group' | 'channel' | 'everyone';
}

export type NoteKind =
  | 'balance'
  | 'no-way-in'
  | 'key-off'
  | 'channel-off'
  | 'conflict'
  | 'damaged'
  | 'left-out'
  | 'weak'
  | 'changed'
  | 'unknown';

/** A note of the report about one row, or about the whole source. */
export interface SourceNote {
  readonly kind: NoteKind;
  /** Table of the source; empty = the whole source. */
  readonly table: string;
  readonly id: string;
  readonly sentence: Sentence;
}

/** Everything of a source but its log. */
export interface SourceContents {
  readonly users: readonly SourceUser[];
  readonly tokens: readonly SourceToken[];
  readonly channels: readonly SourceChannel[];
  readonly codes: readonly SourceCode[];
  readonly orders: readonly SourceOrder[];
  readonly limits: readonly SourceLimit[];
  readonly tasks: readonly SourceTask[];
  /** Options by their names here. */
  readonly options: ReadonlyMap<string, string>;
  readonly notes: readonly SourceNote[];
  readonly quotaPerUnit: number;
  /** Σ as the source has them, row by row, in its own numbers: what the reconciliation starts from. */
  readonly sums: SourceSums;
  /** Σ of balances that people get here although the source names none. */
  readonly given: bigint;
  /** The part of the sums that belongs to rows without an owner, and to rows that could not be read. */
  readonly unread: SourceSums;
}

export interface SourceSums {
  readonly balances: bigint;
  readonly usedByAccounts: bigint;
  readonly calls: bigint;
  readonly allowances: bigint;
  readonly usedByTokens: bigint;
  readonly usedByChannels: bigint;
  readonly unusedCodes: bigint;
}

export type MutableSums = { -readonly [Name in keyof SourceSums]: SourceSums[Name] };

export const noSums = (): MutableSums => ({
  balances: 0n,
  usedByAccounts: 0n,
  calls: 0n,
  allowances: 0n,
  usedByTokens: 0n,
  usedByChannels: 0n,
  unusedCodes: 0n,
});
