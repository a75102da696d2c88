import { sentence } from '../../../common/import-sentences/sentence.js';
import { parseJson } from '../../../common/parse-json.js';
import type { ForeignSource } from '../../../infra/database/foreign-source.js';
import type { RecognisedSource } from '../source/products.js';
import { noSums, type SourceContents, type SourceNote } from '../source/records.js';
import { readFamilyChannels } from './family-channels.js';
import { groupRulesOf } from './family-groups.js';
import { readOptions, translateOptions } from './family-options.js';
import { relyingPartyOf } from './family-passkeys.js';
import { notePlans } from './family-plans.js';
import { readFamilyTasks } from './family-tasks.js';
import { readFamilyTokens } from './family-tokens.js';
import { readFamilyUsers } from './family-users.js';
import { readFamilyCodes, readFamilyOrders } from './family-wallet.js';
import { priceRequestedNames } from './mapped-prices.js';
import { sumOf } from './read-rows.js';

/** Quota units of a dollar where the option was never changed. */
const DEFAULT_QUOTA_PER_UNIT = 500_000;

/** Everything of new-api or one-api but the log. */
export async function readFamily(
  source: ForeignSource,
  { product, unknown }: RecognisedSource & { readonly product: 'new-api' | 'one-api' },
  nowMs: number,
): Promise<SourceContents> {
  const notes: SourceNote[] = unknown.map((column) => ({
    kind: 'unknown',
    table: column.split('.')[0] ?? '',
    id: '',
    sentence: sentence('column_unknown', { column }),
  }));
  const unknownOf = (table: string): string[] =>
    unknown.filter((name) => name.startsWith(`${table}.`)).map((name) => name.slice(table.length + 1));
  const tables = await source.tables();
  const stored = oneGroupRatio(await readOptions(source), notes);
  const unread = noSums();
  const users = await readFamilyUsers(
    source,
    product,
    { tables, relyingParty: relyingPartyOf(stored), unread },
    notes,
  );
  await notePlans(source, {
    tables,
    balances: new Map(users.map((user) => [user.sourceId, user.quota])),
    nowSeconds: Math.floor(nowMs / 1_000),
    notes,
  });
  const tokens = await readFamilyTokens(
    source,
    {
      product,
      owners: new Map(users.map((user) => [user.sourceId, user.group])),
      groups: groupRulesOf(stored),
      unknownColumns: unknownOf('tokens'),
      nowSeconds: Math.floor(nowMs / 1_000),
      unread,
    },
    notes,
  );
  const channels = await readFamilyChannels(
    source,
    { product, unknownColumns: unknownOf('channels'), unread },
    notes,
  );
  const perUnit = Number(stored.get('QuotaPerUnit') ?? DEFAULT_QUOTA_PER_UNIT);
  const quotaPerUnit = Number.isFinite(perUnit) && perUnit > 0 ? perUnit : DEFAULT_QUOTA_PER_UNIT;
  const orders = tables.has('top_ups')
    ? await readFamilyOrders(
        source,
        {
          quotaPerUnit,
          epayMerchant: stored.get('EpayId') ?? '',
          stripeMerchant: /^[a-z]+_live_/.test(stored.get('StripeApiSecret') ?? '') ? 'live' : 'test',
        },
        notes,
      )
    : [];
  return {
    users,
    tokens,
    channels,
    codes: tables.has('redemptions') ? await readFamilyCodes(source, notes, unread) : [],
    orders,
    limits: [],
    tasks: await readFamilyTasks(source, tables, notes),
    options:
      product === 'one-api'
        ? priceRequestedNames(translateOptions(stored, product), channels)
        : translateOptions(stored, product),
    notes,
    quotaPerUnit,
    given: 0n,
    unread,
    sums: {
      balances: await sumOf(source, 'users', 'quota'),
      usedByAccounts: await sumOf(source, 'users', 'used_quota'),
      calls: await sumOf(source, 'users', 'request_count'),
      allowances: await sumOf(source, 'tokens', 'remain_quota', isLimited(source)),
      usedByTokens: await sumOf(source, 'tokens', 'used_quota'),
      usedByChannels: await sumOf(source, 'channels', 'used_quota'),
      unusedCodes: tables.has('redemptions')
        ? await sumOf(source, 'redemptions', 'quota', unusedCodes(tables.get('redemptions') ?? []))
        : 0n,
    },
  };
}

const OTHER_GROUP_RATIO = 'group_ratio_setting.group_ratio';

/** new-api has two options for the ratios of groups, which its own pages may leave different. */
function oneGroupRatio(stored: Map<string, string>, notes: SourceNote[]): Map<string, string> {
  const other = stored.get(OTHER_GROUP_RATIO);
  const own = stored.get('GroupRatio');
  stored.delete(OTHER_GROUP_RATIO);
  if (other === undefined) return stored;
  if (own === undefined) stored.set('GroupRatio', other);
  else if (JSON.stringify(parseJson(own)) !== JSON.stringify(parseJson(other)))
    notes.push({
      kind: 'changed',
      table: 'options',
      id: 'GroupRatio',
      sentence: sentence('ratios_stand_twice', { option: OTHER_GROUP_RATIO }),
    });
  return stored;
}

const unusedCodes = (columns: readonly string[]): string =>
  columns.includes('deleted_at') ? '"status" = 1 AND "deleted_at" IS NULL' : '"status" = 1';

const isLimited = (source: ForeignSource): string =>
  source.dialect === 'postgres' ? '"unlimited_quota" IS NOT TRUE' : 'COALESCE("unlimited_quota", 0) = 0';
