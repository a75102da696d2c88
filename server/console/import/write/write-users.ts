import { type Sentence, sentence } from '../../../common/import-sentences/sentence.js';
import type { EntityManager } from 'typeorm';
import { parseMailAddress } from '../../../common/mail-address.js';
import { digestOf } from '../../../base/auth/sessions.service.js';
import { insertImportedPasskeys } from '../../passkeys/imported-passkeys.js';
import { insertImportedFactor } from '../../../base/auth/two-factor/imported-factors.js';
import { moveAccount, openAccount } from '../../../base/billing/opening/opening-money.js';
import {
  accountNumbers,
  accountsHaving,
  type ImportedAccount,
  insertImportedAccount,
  setInviter,
  UNIQUE_ACCOUNT_COLUMNS,
  type UniqueAccountColumn,
} from '../../../base/users/imported-accounts.js';
import { foldUsername } from '../../../base/users/user-rules.js';
import { runInTransaction } from '../../../infra/database/run-in-transaction.js';
import type { SourceUser } from '../source/records.js';
import type { ImportContext, PreparedRow } from './import-context.js';
import { type JournalEntry, markOf } from './journal.js';
import { storedPassword } from './stored-password.js';

const FIGURES = [
  'quota',
  'usedQuota',
  'requestCount',
  'affQuota',
  'affHistory',
  'lastLoginAt',
  'affCount',
  'passkeys',
];
const NAME_MAX = 64;
const ADMINISTRATOR = 10;
const ROOT = 100;

/** Issuers of outside identities, as this installation names them. */
export type Issuers = Pick<ImportedAccount, 'githubIssuer' | 'oidcIssuer' | 'linuxDoIssuer' | 'wechatIssuer'>;

type Taken = Readonly<Record<UniqueAccountColumn, Map<string, number>>>;

/** Writes the accounts of a source: new ones, and the differences of those that were imported before. */
export async function writeUsers(
  context: ImportContext,
  users: readonly SourceUser[],
  issuers: Issuers,
): Promise<void> {
  const { settings, journal, counts } = context;
  counts.user.found = users.length;
  const isNew = (user: SourceUser): boolean => journal.find('user', user.sourceId) === undefined;
  const fresh = users.filter(isNew);
  const accounts = await prepareAccounts(context, fresh, issuers);
  if (settings.isDryRun) {
    counts.user.added = accounts.length;
    counts.user.unchanged = users.length - fresh.length;
    return;
  }
  await context.writeAll('user', 'users', accounts);
  await moveUsers(
    context,
    users.filter((user) => !fresh.includes(user)),
  );
  await linkInviters(context, users);
}

async function prepareAccounts(
  context: ImportContext,
  users: readonly SourceUser[],
  issuers: Issuers,
): Promise<PreparedRow[]> {
  const { tools } = context;
  const drafts = users.map((user) => ({ user, account: accountOf(user, context, issuers) }));
  const manager = tools.dataSource.manager;
  const taken = {} as Record<UniqueAccountColumn, Map<string, number>>;
  for (const column of UNIQUE_ACCOUNT_COLUMNS)
    taken[column] = await accountsHaving(
      manager,
      column,
      drafts.flatMap(({ account }) => account[column] ?? []),
    );
  const numbers = new Numbers(await accountNumbers(manager), users, context);
  // Living accounts come before deleted ones with the same address.
  const ordered = drafts.toSorted(
    (a, b) => Number(a.user.deletedAtMs !== null) - Number(b.user.deletedAtMs !== null),
  );
  const kept = new Map<string, PreparedRow>();
  for (const { user, account } of ordered) {
    if (!settleConflicts(context, user, account, taken)) {
      context.counts.user.leftOut += 1;
      continue;
    }
    noteName(context, user, account.username);
    const number = numbers.of(user);
    // Hashes cost time, which no transaction should take.
    if (!context.settings.isDryRun) account.password = await storedPassword(context, user);
    kept.set(user.sourceId, {
      sourceId: user.sourceId,
      write: (manager) => writeAccount(manager, context, { user, account, number }),
    });
  }
  return users.flatMap((user) => kept.get(user.sourceId) ?? []);
}

/** Numbers of new accounts: their own where the installation was empty and the number is free. */
class Numbers {
  private readonly taken: Set<number>;
  private highest: number;

  constructor(
    present: readonly number[],
    users: readonly SourceUser[],
    private readonly context: ImportContext,
  ) {
    this.taken = new Set(present);
    this.highest = Math.max(0, ...present, ...users.map(({ number }) => number ?? 0));
  }

  of({ number }: SourceUser): number | null {
    if (!this.context.settings.keepsNumbers) return null;
    if (number !== null && !this.taken.has(number)) return number;
    this.highest += 1;
    return this.highest;
  }
}

function accountOf(user: SourceUser, { settings }: ImportContext, issuers: Issuers): ImportedAccount {
  const mail = user.email === '' ? null : parseMailAddress(user.email);
  const role = user.role >= ROOT && !settings.takesOverRoot ? ADMINISTRATOR : user.role;
  const { bindings } = user;
  const nowSeconds = Math.floor(settings.nowMs / 1_000);
  const username = nameOf(user);
  return {
    username,
    usernameFolded: foldUsername(username),
    displayName: cut(user.displayName || username, NAME_MAX),
    password: '',
    role,
    status: user.status,
    email: user.email,
    emailFolded: user.email === '' ? null : (mail?.folded ?? user.email.toLowerCase()),
    accessTokenDigest: user.accessToken === '' ? null : digestOf(user.accessToken),
    group: cut(user.group, NAME_MAX),
    affCode: user.affCode === '' ? null : cut(user.affCode, 32),
    affCount: user.affCount,
    inviterId: 0,
    githubId: bindings.githubId ?? null,
    oidcId: bindings.oidcId ?? null,
    wechatId: bindings.wechatId ?? null,
    telegramId: bindings.telegramId ?? null,
    linuxDoId: bindings.linuxDoId ?? null,
    githubIssuer: bindings.githubId === undefined ? null : issuers.githubIssuer,
    oidcIssuer: bindings.oidcId === undefined ? null : issuers.oidcIssuer,
    linuxDoIssuer: bindings.linuxDoId === undefined ? null : issuers.linuxDoIssuer,
    wechatIssuer: bindings.wechatId === undefined ? null : issuers.wechatIssuer,
    setting: user.setting,
    createdAt: user.createdAt || nowSeconds,
    lastLoginAt: user.lastLoginAt,
    deletedAtMs: user.deletedAtMs === null ? null : user.deletedAtMs || settings.nowMs,
  };
}

/** Its name as it can be kept: no account is without one. */
const nameOf = ({ username, sourceId }: SourceUser): string =>
  cut(username, NAME_MAX) || cut(`user-${sourceId}`, NAME_MAX);

function noteName(context: ImportContext, user: SourceUser, name: string): void {
  const { username, sourceId } = user;
  if (username === '') context.note('changed', 'users', sourceId, sentence('name_empty', { name }));
  else if ([...username].length > NAME_MAX)
    context.note('changed', 'users', sourceId, sentence('name_cut', { max: NAME_MAX, name }));
}

const cut = (text: string, length: number): string => [...text].slice(0, length).join('');

/**
 * Takes what another account has already away from this one, or leaves the account out. Nothing is ever merged.
 * @returns false when it is left out
 */
function settleConflicts(
  context: ImportContext,
  user: SourceUser,
  account: ImportedAccount,
  taken: Taken,
): boolean {
  const conflict = (text: Sentence): void => context.note('conflict', 'users', user.sourceId, text);
  const holder = taken.usernameFolded.get(account.usernameFolded);
  if (holder !== undefined) {
    const isRoot = user.role >= ROOT;
    const isOfSource = holder < 0;
    if (context.settings.conflicts === 'skip' && !isRoot) {
      conflict(
        isOfSource
          ? sentence('name_twice_left_out', { name: account.username })
          : sentence('name_taken_left_out', { name: account.username, holder }),
      );
      return false;
    }
    const name = freeName(account.username, context.settings.product, taken);
    const names = { name: account.username, becomes: name };
    conflict(
      isOfSource
        ? sentence('name_twice_renamed', names)
        : sentence('name_taken_renamed', { ...names, holder }),
    );
    account.username = name;
    account.usernameFolded = foldUsername(name);
  }
  const mailHolder = account.emailFolded === null ? undefined : taken.emailFolded.get(account.emailFolded);
  if (mailHolder !== undefined) {
    const isHere = !context.settings.keepsNumbers && mailHolder > 0;
    if (isHere && context.settings.conflicts === 'skip') {
      conflict(sentence('mail_taken_left_out', { mail: account.email, holder: mailHolder }));
      return false;
    }
    conflict(sentence('mail_taken', { mail: account.email }));
    account.email = '';
    account.emailFolded = null;
  }
  for (const column of UNIQUE_ACCOUNT_COLUMNS) {
    const value = account[column];
    if (value === null) continue;
    if (column !== 'usernameFolded' && column !== 'emailFolded' && taken[column].has(value)) {
      conflict(takenSentence(column));
      account[column] = null;
    } else taken[column].set(value, -1);
  }
  return true;
}

const PROVIDERS = {
  githubId: 'GitHub',
  oidcId: 'OIDC',
  wechatId: 'WeChat',
  telegramId: 'Telegram',
  linuxDoId: 'Linux DO',
} as const;

function takenSentence(column: Exclude<UniqueAccountColumn, 'usernameFolded' | 'emailFolded'>): Sentence {
  if (column === 'accessTokenDigest') return sentence('access_token_taken');
  if (column === 'affCode') return sentence('invite_code_taken');
  return sentence('identity_taken', { provider: PROVIDERS[column] });
}

function freeName(name: string, product: string, taken: Taken): string {
  for (let count = 1; ; count += 1) {
    const ending = count === 1 ? `-${product}` : `-${product}-${count}`;
    const candidate = cut(name, NAME_MAX - ending.length) + ending;
    if (!taken.usernameFolded.has(foldUsername(candidate))) return candidate;
  }
}

async function writeAccount(
  manager: EntityManager,
  context: ImportContext,
  {
    user,
    account,
    number,
  }: { readonly user: SourceUser; readonly account: ImportedAccount; readonly number: number | null },
): Promise<JournalEntry> {
  const id = await insertImportedAccount(
    manager,
    {
      ...account,
      inviterId: user.inviter === '' ? 0 : (inviterOf(context, user.inviter) ?? 0),
    },
    number,
  );
  context.drafts.set(user.sourceId, id);
  await openAccount(
    manager,
    id,
    {
      balance: user.quota,
      usedQuota: user.usedQuota,
      requestCount: user.requestCount,
      affQuota: user.affQuota,
      affHistory: user.affHistory,
    },
    context.origin('user', id),
  );
  if (user.totpSecret !== '')
    await insertImportedFactor(manager, context.tools.secrets, {
      userId: id,
      secret: user.totpSecret,
      nowMs: context.settings.nowMs,
    });
  await insertImportedPasskeys(manager, id, user.passkeys);
  if (user.quota < 0)
    context.note('balance', 'users', user.sourceId, sentence('balance_below_zero', { quota: user.quota }));
  context.noteNumber('user', user.number, user.sourceId, id);
  return { targetId: id, mark: markOf({ ...user }, FIGURES), figures: figuresOf(user) };
}

const inviterOf = ({ journal, drafts }: ImportContext, sourceId: string): number | undefined =>
  journal.targetOf('user', sourceId) ?? drafts.get(sourceId);

const figuresOf = ({ quota, usedQuota, requestCount }: SourceUser): Record<string, number> => ({
  quota,
  usedQuota,
  requestCount,
});

/** Books what the source's figures moved by since the run before. */
async function moveUsers(context: ImportContext, users: readonly SourceUser[]): Promise<void> {
  const { journal, counts } = context;
  const moved: PreparedRow[] = [];
  for (const user of users) {
    const entry = journal.find('user', user.sourceId);
    if (entry === undefined) continue;
    const mark = markOf({ ...user }, FIGURES);
    const figures = figuresOf(user);
    const change = {
      balance: user.quota - (entry.figures['quota'] ?? 0),
      usedQuota: user.usedQuota - (entry.figures['usedQuota'] ?? 0),
      requestCount: user.requestCount - (entry.figures['requestCount'] ?? 0),
    };
    if (mark !== entry.mark)
      context.note('changed', 'users', user.sourceId, sentence('changed_figures_follow'));
    if (Object.values(change).every((amount) => amount === 0)) {
      counts.user.unchanged += 1;
      continue;
    }
    moved.push({
      sourceId: user.sourceId,
      write: async (manager) => {
        const isMoved = await moveAccount(
          manager,
          entry.targetId,
          change,
          context.origin('user', entry.targetId),
        );
        if (isMoved) return { ...entry, figures };
        context.note('balance', 'users', user.sourceId, sentence('figures_not_moved'));
        return entry;
      },
    });
  }
  counts.user.moved = moved.length;
  await context.writeAll('user', 'users', moved);
}

/** Accounts whose inviter has a higher number, and so was written after them. */
async function linkInviters(context: ImportContext, users: readonly SourceUser[]): Promise<void> {
  const late = users.filter(
    ({ inviter, number }) => inviter !== '' && (number === null || Number(inviter) > number),
  );
  if (late.length === 0) return;
  await runInTransaction(context.tools.dataSource, async (manager) => {
    for (const { sourceId, inviter } of late) {
      const id = context.journal.targetOf('user', sourceId);
      const inviterId = context.journal.targetOf('user', inviter);
      if (id !== undefined && inviterId !== undefined) await setInviter(manager, id, inviterId);
    }
  });
}
