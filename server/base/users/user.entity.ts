import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import {
  CounterColumn,
  IntegerColumn,
  LongTextColumn,
  MillisecondsColumn,
  QuotaColumn,
  SecondsColumn,
  SmallColumn,
  TextColumn,
} from '../../infra/database/columns.js';

/** An account. Money columns change only through the billing module; everything else through UsersRepository. */
@Entity('users')
export class UserEntity {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /**
   * Random, made with the account and given to no other; its number may be given again after a restore. Null where a version before
   * made the account, which goes by `createdAt` then.
   */
  @TextColumn('uid', 36, { nullable: true, default: null, update: false })
  uid!: string | null;

  /** Username as typed; up to 12 characters when typed by a person, 64 when made by an administrator or an outside login. */
  @TextColumn('username', 64)
  username!: string;

  /** Case-folded, NFC-normalised username: uniqueness and login use it. */
  @Index('users_username_folded', { unique: true })
  @TextColumn('username_folded', 64)
  usernameFolded!: string;

  /** argon2id hash; empty for accounts that sign in from outside only. */
  @TextColumn('password', 255, { select: false })
  password!: string;

  @TextColumn('display_name', 64)
  displayName!: string;

  /** 1 user, 10 administrator, 100 root. */
  @SmallColumn('role', { default: 1 })
  role!: number;

  /** 1 active, 2 banned. */
  @SmallColumn('status', { default: 1 })
  status!: number;

  @TextColumn('email', 255)
  email!: string;

  /** Lower-cased e-mail, null when none: unique among accounts that have one. */
  @Index('users_email_folded', { unique: true })
  @TextColumn('email_folded', 255, { nullable: true, default: null })
  emailFolded!: string | null;

  /** SHA-256 of the system access token, hexadecimal; null when none was made. */
  @Index('users_access_token_digest', { unique: true })
  @TextColumn('access_token_digest', 64, { nullable: true, default: null, select: false })
  accessTokenDigest!: string | null;

  /** Unreserved balance; what the owner sees is this plus the unspent reservations of scope user. */
  @QuotaColumn('quota')
  quota!: number;

  /** Lowest value `quota` may take; negative for an overdraft. */
  @QuotaColumn('quota_floor')
  quotaFloor!: number;

  /** Lifetime charge: sum of settlements. */
  @CounterColumn('used_quota')
  usedQuota!: number;

  /** Sum of refunds in the ledger: what the account got back of what its calls were charged. */
  @CounterColumn('refunded_quota')
  refundedQuota!: number;

  /** Number of settlements. */
  @CounterColumn('request_count')
  requestCount!: number;

  @TextColumn('group', 64, { default: 'default' })
  group!: string;

  @Index('users_aff_code', { unique: true })
  @TextColumn('aff_code', 32, { nullable: true, default: null })
  affCode!: string | null;

  @IntegerColumn('aff_count', { default: 0 })
  affCount!: number;

  @QuotaColumn('aff_quota')
  affQuota!: number;

  @CounterColumn('aff_history')
  affHistory!: number;

  /** Account that invited this one; 0 = none. */
  @SmallColumn('inviter_id', { default: 0 })
  inviterId!: number;

  /** Identities at outside providers; null = not bound; unique when set. */
  @Index('users_github_id', { unique: true })
  @TextColumn('github_id', 191, { nullable: true, default: null })
  githubId!: string | null;

  @Index('users_oidc_id', { unique: true })
  @TextColumn('oidc_id', 191, { nullable: true, default: null })
  oidcId!: string | null;

  @Index('users_wechat_id', { unique: true })
  @TextColumn('wechat_id', 191, { nullable: true, default: null })
  wechatId!: string | null;

  @Index('users_telegram_id', { unique: true })
  @TextColumn('telegram_id', 191, { nullable: true, default: null })
  telegramId!: string | null;

  @Index('users_linux_do_id', { unique: true })
  @TextColumn('linux_do_id', 191, { nullable: true, default: null })
  linuxDoId!: string | null;

  /** Issuer or address that vouched for each identity; null = bound by a version that kept none. */
  @LongTextColumn('github_issuer', { nullable: true, default: null })
  githubIssuer!: string | null;

  @LongTextColumn('oidc_issuer', { nullable: true, default: null })
  oidcIssuer!: string | null;

  @LongTextColumn('linux_do_issuer', { nullable: true, default: null })
  linuxDoIssuer!: string | null;

  @LongTextColumn('wechat_issuer', { nullable: true, default: null })
  wechatIssuer!: string | null;

  /** JSON text of the user setting document; empty = all defaults. */
  @LongTextColumn('setting')
  setting!: string;

  /** Raised on ban, role change, password change and deletion: older sessions and access tokens stop. */
  @IntegerColumn('auth_version', { default: 1 })
  authVersion!: number;

  @SecondsColumn('created_at')
  createdAt!: number;

  @SecondsColumn('last_login_at')
  lastLoginAt!: number;

  /** Deregistration moment; null = not deregistered. */
  @MillisecondsColumn('deleted_at_ms', { nullable: true, default: null })
  deletedAtMs!: number | null;

  /** Account that deregistered this one, its own id when its owner did; null = not known, or its personal fields were cleared. */
  @SmallColumn('deleted_by', { nullable: true, default: null })
  deletedBy!: number | null;

  /** Moment nothing personal was left of a deregistered account; null = not purged. */
  @MillisecondsColumn('purged_at_ms', { nullable: true, default: null })
  purgedAtMs!: number | null;
}
