import { type Sentence, sentence } from '../../../common/import-sentences/sentence.js';
import type { ForeignSource } from '../../../infra/database/foreign-source.js';
import { readRange } from '../../../common/ip-address.js';
import type { MutableSums, SourceNote, SourceToken } from '../source/records.js';
import type { RowValues } from '../source/row-values.js';
import { readRows } from './read-rows.js';

const STATUS = { off: 2, expired: 3, used: 4 } as const;
/** Keys people wrote by hand, as short as this, are guessed. */
const WEAK_KEY_LENGTH = 20;
const MAX_KEY_LENGTH = 128;

/** Options of the source that decide which groups a key may use. */
export interface GroupRules {
  readonly usable: ReadonlySet<string>;
  /** Groups an account of some group may use besides, or may not use. */
  readonly special: ReadonlyMap<
    string,
    { readonly added: ReadonlySet<string>; readonly removed: ReadonlySet<string> }
  >;
  readonly automatic: readonly string[];
}

/** Facts that the tokens of a source are read with. */
export interface TokenContext {
  readonly product: 'new-api' | 'one-api';
  /** Group by account. */
  readonly owners: ReadonlyMap<string, string>;
  readonly groups: GroupRules;
  /** Columns of `tokens` that are not known: a key with something in one of them may have been narrower there. */
  readonly unknownColumns: readonly string[];
  readonly nowSeconds: number;
  /** Grows by the figures of rows that are left out here. */
  readonly unread: MutableSums;
}

/** API keys of new-api and one-api, deleted ones included. Keys without an owner are left out. */
export function readFamilyTokens(
  source: ForeignSource,
  context: TokenContext,
  notes: SourceNote[],
): Promise<SourceToken[]> {
  const onDamaged = (row: RowValues): void => leaveOut(row, context);
  return readRows(source, { table: 'tokens', key: 'id', notes, onDamaged }, (row) =>
    tokenOf(row, context, notes),
  );
}

function tokenOf(row: RowValues, context: TokenContext, notes: SourceNote[]): SourceToken | null {
  const id = row.text('id');
  const note = (kind: SourceNote['kind'], text: Sentence): void => {
    notes.push({ kind, table: 'tokens', id, sentence: text });
  };
  const owner = row.text('user_id');
  const ownerGroup = context.owners.get(owner);
  if (ownerGroup === undefined) {
    leaveOut(row, context);
    note('left-out', sentence('key_without_owner', { owner }));
    return null;
  }
  const text = row.fixedText('key').replace(/^sk-/, '');
  if (text === '' || text.length > MAX_KEY_LENGTH || !/^[\x21-\x7e]+$/.test(text)) {
    leaveOut(row, context);
    note('damaged', sentence('key_unusable'));
    return null;
  }
  if (text.length < WEAK_KEY_LENGTH) note('weak', sentence('key_weak', { length: text.length }));
  const isUnlimited = row.flag('unlimited_quota');
  const remain = row.integer('remain_quota');
  const status = row.integer('status', 1);
  const expiredTime = row.integer('expired_time', -1);
  const { group, reason: groupReason } = groupOf(row, ownerGroup, context, note);
  const models = modelsOf(row, context.product);
  const { allowIps, reason: addressReason } = addressesOf(row, context.product);
  const unknown = context.unknownColumns.filter((column) => !isBlank(row, column));
  const offReason =
    [
      groupReason,
      addressReason,
      unknown.length === 0 ? null : sentence('key_unknown_columns', { columns: unknown.join(', ') }),
      isRefusedThere(status, { isUnlimited, remain, expiredTime, nowSeconds: context.nowSeconds })
        ? sentence('key_marked_refused')
        : null,
    ].find((one) => one !== null) ?? null;
  return {
    sourceId: id,
    number: row.integer('id'),
    owner,
    key: { form: 'plain', text },
    name: row.text('name'),
    offReason,
    isOff: status === STATUS.off,
    createdTime: row.integer('created_time'),
    accessedTime: row.integer('accessed_time'),
    expiredTime: expiredTime === 0 ? -1 : expiredTime,
    remainQuota: isUnlimited ? 0 : remain,
    isUnlimited,
    usedQuota: row.integer('used_quota'),
    models,
    allowIps,
    group,
    deletedAtMs: row.moment('deleted_at'),
  };
}

function leaveOut(row: RowValues, { unread }: TokenContext): void {
  if (!row.flag('unlimited_quota')) unread.allowances += row.readableInteger('remain_quota');
  unread.usedByTokens += row.readableInteger('used_quota');
}

/** Marks are set when a client tries the key; a later change of its figures may have left the mark, and the key stays refused. */
function isRefusedThere(
  status: number,
  figures: {
    readonly isUnlimited: boolean;
    readonly remain: number;
    readonly expiredTime: number;
    readonly nowSeconds: number;
  },
): boolean {
  const { isUnlimited, remain, expiredTime, nowSeconds } = figures;
  if (status === STATUS.expired) return expiredTime <= 0 || expiredTime > nowSeconds;
  if (status === STATUS.used) return isUnlimited || remain > 0;
  return status !== 1 && status !== STATUS.off;
}

function isBlank(row: RowValues, column: string): boolean {
  const text = row.text(column).trim();
  return ['', '0', 'false', '{}', '[]', 'null'].includes(text);
}

function modelsOf(row: RowValues, product: TokenContext['product']): readonly string[] | null {
  const list = (text: string): string[] =>
    text
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
  if (product === 'new-api') return row.flag('model_limits_enabled') ? list(row.text('model_limits')) : null;
  return row.text('models').trim() === '' ? null : list(row.text('models'));
}

function addressesOf(
  row: RowValues,
  product: TokenContext['product'],
): { readonly allowIps: string; readonly reason: Sentence | null } {
  const text = row.text(product === 'new-api' ? 'allow_ips' : 'subnet');
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '');
  const wrong = entries.filter((entry) => readRange(entry) === null);
  const reason =
    wrong.length === 0
      ? null
      : sentence('key_address_limit', { entries: wrong.slice(0, 3).join(', ').slice(0, 100) });
  return { allowIps: entries.join('\n'), reason };
}

function groupOf(
  row: RowValues,
  ownerGroup: string,
  { product, groups }: TokenContext,
  note: (kind: SourceNote['kind'], text: Sentence) => void,
): { readonly group: string; readonly reason: Sentence | null } {
  const group = row.text('group').trim();
  if (product === 'one-api' || group === '') return { group: '', reason: null };
  const special = groups.special.get(ownerGroup);
  const isUsable = (name: string): boolean =>
    name === ownerGroup ||
    ((groups.usable.has(name) || special?.added.has(name) === true) && special?.removed.has(name) !== true);
  if (group !== 'auto')
    return { group, reason: isUsable(group) ? null : sentence('key_group_not_usable', { group }) };
  const own = autoGroupsOf(row);
  const first = (own.length === 0 ? groups.automatic : own).find(isUsable);
  if (first === undefined) return { group, reason: sentence('key_auto_group_unusable') };
  note('changed', sentence('key_auto_group', { group: first }));
  return { group: first, reason: null };
}

function autoGroupsOf(row: RowValues): string[] {
  const list = row.json('auto_groups');
  return Array.isArray(list) ? list.map(String) : [];
}
