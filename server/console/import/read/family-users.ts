import { type Sentence, sentence } from '../../../common/import-sentences/sentence.js';
import { isJsonObject, parseJson } from '../../../common/parse-json.js';
import type { ForeignSource } from '../../../infra/database/foreign-source.js';
import type { ImportedPasskey } from '../../passkeys/imported-passkeys.js';
import type { Product } from '../source/products.js';
import type { Bindings, MutableSums, SourceNote, SourceUser } from '../source/records.js';
import type { RowValues } from '../source/row-values.js';
import { readFamilyPasskeys } from './family-passkeys.js';
import { bcryptCostOf, HIGH_BCRYPT_COST, passwordFormOf, readableBcrypt } from './password-forms.js';
import { readRows } from './read-rows.js';

const ROLES = new Set([1, 10, 100]);
/** Members of the setting document that mean the same here. */
const SETTING_MEMBERS = [
  'notify_type',
  'quota_warning_threshold',
  'webhook_url',
  'webhook_secret',
  'notification_email',
  'accept_unset_model_ratio_model',
];
const NOTIFY_TYPES = new Set<unknown>(['email', 'webhook']);

/** Facts of other tables about the people of a source. */
interface PeopleFacts {
  /** Base32 secret by user id. */
  readonly totp: ReadonlyMap<string, string>;
  readonly passkeys: ReadonlyMap<string, readonly ImportedPasskey[]>;
  /** Host name of the passkeys; empty = it cannot be known. */
  readonly relyingParty: string;
}

/** Accounts of new-api and one-api, deleted ones included. */
export async function readFamilyUsers(
  source: ForeignSource,
  product: Product,
  {
    tables,
    relyingParty,
    unread,
  }: {
    readonly tables: ReadonlyMap<string, readonly string[]>;
    readonly relyingParty: string;
    /** Grows by the figures of rows that cannot be read. */
    readonly unread: MutableSums;
  },
  notes: SourceNote[],
): Promise<SourceUser[]> {
  const facts = { ...(await readFacts(source, tables, relyingParty, notes)), relyingParty };
  const onDamaged = (row: RowValues): void => {
    unread.balances += row.readableInteger('quota');
    unread.usedByAccounts += row.readableInteger('used_quota');
    unread.calls += row.readableInteger('request_count');
  };
  return readRows(source, { table: 'users', key: 'id', notes, onDamaged }, (row) =>
    userOf(row, product, facts, notes),
  );
}

async function readFacts(
  source: ForeignSource,
  tables: ReadonlyMap<string, readonly string[]>,
  relyingParty: string,
  notes: SourceNote[],
): Promise<Omit<PeopleFacts, 'relyingParty'>> {
  const totp = new Map<string, string>();
  if (tables.has('two_fas'))
    await readRows(source, { table: 'two_fas', key: 'id', notes }, (row) => {
      if (row.flag('is_enabled') && !row.has('deleted_at'))
        totp.set(row.text('user_id'), row.text('secret').trim());
      return null;
    });
  const passkeys = tables.has('passkey_credentials')
    ? await readFamilyPasskeys(source, relyingParty, notes)
    : new Map<string, readonly ImportedPasskey[]>();
  return { totp, passkeys };
}

function userOf(row: RowValues, product: Product, facts: PeopleFacts, notes: SourceNote[]): SourceUser {
  const id = row.text('id');
  const note = (kind: SourceNote['kind'], text: Sentence): void => {
    notes.push({ kind, table: 'users', id, sentence: text });
  };
  const status = row.integer('status', 1);
  const deletedAt = row.moment('deleted_at');
  // one-api marks a deleted account by its status, without a time.
  const isDeleted = deletedAt !== null || (product === 'one-api' && status === 3);
  const role = row.integer('role', 1);
  const password = row.text('password');
  const stored = passwordFormOf(password);
  // Both programs compare with bcrypt alone: no account signed in with any other text.
  const form = stored === 'bcrypt' ? stored : 'none';
  if (stored !== form) note('weak', sentence('password_no_hash'));
  if (form === 'bcrypt' && bcryptCostOf(password) > HIGH_BCRYPT_COST)
    note('weak', sentence('password_slow', { cost: bcryptCostOf(password) }));
  const totpSecret = facts.totp.get(id) ?? '';
  const isSecretGood = /^[A-Z2-7]{16,}=*$/i.test(totpSecret);
  const hasLostFactor = totpSecret !== '' && !isSecretGood;
  if (hasLostFactor) note('changed', sentence('factor_unreadable'));
  const passkeys = facts.passkeys.get(id) ?? [];
  if (passkeys.length > 0)
    note(
      'changed',
      facts.relyingParty === ''
        ? sentence('passkeys_without_host')
        : sentence('passkeys_of_host', { host: facts.relyingParty }),
    );
  const affQuota = row.integer('aff_quota');
  return {
    sourceId: id,
    number: row.integer('id'),
    username: row.text('username'),
    displayName: row.text('display_name'),
    role: ROLES.has(role) ? role : 1,
    status: status === 2 ? 2 : 1,
    deletedAtMs: isDeleted ? (deletedAt ?? 0) : null,
    password: form === 'none' ? '' : readableBcrypt(password),
    passwordForm: form,
    email: row.text('email').trim(),
    group: row.text('group') || 'default',
    accessToken: row.fixedText('access_token'),
    affCode: row.text('aff_code').trim(),
    affCount: row.integer('aff_count'),
    affQuota,
    affHistory: Math.max(row.integer('aff_history'), affQuota),
    inviter: row.integer('inviter_id') === 0 ? '' : row.text('inviter_id'),
    bindings: bindingsOf(row, note),
    setting: settingOf(row),
    createdAt: row.integer('created_at'),
    lastLoginAt: row.integer('last_login_at'),
    quota: row.integer('quota'),
    usedQuota: row.integer('used_quota'),
    requestCount: row.integer('request_count'),
    totpSecret: isSecretGood ? totpSecret : '',
    passkeys: facts.relyingParty === '' ? [] : passkeys,
    hasLostFactor,
  };
}

/** GitHub logins, which older versions stored and of which some are all digits, are no ids: the row's age decides nothing. */
function bindingsOf(row: RowValues, note: (kind: SourceNote['kind'], text: Sentence) => void): Bindings {
  const of = (column: string): string => row.text(column).trim();
  const github = of('github_id');
  const isNumeric = /^\d+$/.test(github) && row.has('created_at');
  if (github !== '' && !isNumeric) note('changed', sentence('github_login_name'));
  for (const [column, name] of [
    ['discord_id', 'Discord'],
    ['lark_id', 'Lark'],
  ] as const)
    if (of(column) !== '') note('changed', sentence('binding_without_counterpart', { provider: name }));
  return {
    ...(isNumeric ? { githubId: github } : {}),
    ...(of('oidc_id') === '' ? {} : { oidcId: of('oidc_id') }),
    ...(of('wechat_id') === '' ? {} : { wechatId: of('wechat_id') }),
    ...(of('telegram_id') === '' ? {} : { telegramId: of('telegram_id') }),
    ...(of('linux_do_id') === '' ? {} : { linuxDoId: of('linux_do_id') }),
  };
}

function settingOf(row: RowValues): string {
  // Settings that cannot be read are the defaults: they are no reason to leave a person out.
  const parsed = parseJson(row.text('setting'));
  const document = isJsonObject(parsed) ? parsed : {};
  const kept = Object.fromEntries(
    SETTING_MEMBERS.filter((name) => Object.hasOwn(document, name)).map((name) => [name, document[name]]),
  );
  // Other ways of notice have no counterpart: e-mail is the default.
  if (!NOTIFY_TYPES.has(kept['notify_type'])) delete kept['notify_type'];
  return Object.keys(kept).length === 0 ? '' : JSON.stringify(kept);
}
