import { sentence } from '../../../../common/import-sentences/sentence.js';
import type { ForeignSource } from '../../../../infra/database/foreign-source.js';
import type { OptionValues } from '../../../../base/options/option-catalogue.js';
import {
  noSums,
  type SourceContents,
  type SourceNote,
  type SourceToken,
  type SourceUser,
} from '../../source/records.js';
import type { RowValues } from '../../source/row-values.js';
import { passwordFormOf } from '../password-forms.js';
import { readRows } from '../read-rows.js';
import { type Budget, budgetOf, type LitellmFacts, modelWords, readFacts } from './litellm-facts.js';
import { allLimits, type Person } from './all-limits.js';
import { rateLimits } from './litellm-limits.js';
import { noteMasterCallers, noteUnpriced } from './litellm-notes.js';
import { leftOf, tokenOf } from './litellm-tokens.js';
import type { LitellmConfig } from './config-file.js';
import { budgetOfEveryone, organizationLimits } from './shared-budgets.js';
import { type LitellmModel, modelOf, readLitellmModels, type Variables } from './litellm-channels.js';
import { KEYS_ACCOUNT, type LitellmKey, PROXY_BUDGET, readLitellmKeys, teamAccount } from './litellm-keys.js';
import { fallbackChannels } from './fallback-channels.js';
import { SecretValues } from './secret-values.js';

/** Balance of an account that had no budget there, in dollars. */
const GIVEN_DOLLARS = 100;
const ADMINISTRATOR = 10;

/** Facts of this installation that LiteLLM's amounts and prices are translated with. */
export interface LitellmSurroundings {
  /** Its salt and its master key, as far as they are known. */
  readonly secrets: readonly string[];
  readonly nowMs: number;
  readonly variables: Variables;
  readonly config: LitellmConfig;
  readonly options: Pick<
    OptionValues,
    'QuotaPerUnit' | 'GroupRatio' | 'UserUsableGroups' | 'ModelRatio' | 'ModelPrice' | 'CompletionRatio'
  >;
}

/**
 * Everything of LiteLLM but the log. Its people have no balance: each gets what is left of the budget, or a fixed amount where there was
 * none. Budgets become limits per period; those of a person in a team are divided among the keys there.
 */
export async function readLitellm(
  source: ForeignSource,
  { secrets, options, variables, config, nowMs }: LitellmSurroundings,
): Promise<SourceContents> {
  const notes: SourceNote[] = [...config.notes];
  const tables = await source.tables();
  const stored = await readFacts(source, { tables, nowMs }, notes);
  const facts = {
    ...stored,
    aliases: new Map([...config.aliases, ...stored.aliases]),
    fallbacks: [...config.fallbacks, ...stored.fallbacks],
  };
  const units = (dollars: number): number => Math.floor(dollars * options.QuotaPerUnit + 1e-6);
  const people = await readRows(source, { table: 'LiteLLM_UserTable', key: 'user_id', notes }, (row) => {
    if (row.text('user_id') !== PROXY_BUDGET) return personOf(row, nowMs);
    noteProxyBudget(budgetOf(row, nowMs), notes);
    return null;
  });
  const keys = await readLitellmKeys(source, {
    facts,
    people: new Map(people.map(({ user, models }) => [user.sourceId, models])),
    nowMs,
    notes,
  });
  const deployments = tables.has('LiteLLM_ProxyModelTable')
    ? await readLitellmModels(source, { facts, secrets: new SecretValues(secrets), variables, notes })
    : [];
  const own = [...config.deployments, ...deployments].map((each) => modelOf(each, facts, units));
  const isPriced = (name: string): boolean =>
    Object.hasOwn(options.ModelRatio, name) ||
    Object.hasOwn(options.ModelPrice, name) ||
    own.some(({ names, inputCost }) => inputCost !== null && names.includes(name));
  const models = [...own, ...fallbackChannels(own, { fallbacks: facts.fallbacks, isPriced }, notes)];
  noteUnpriced(own, isPriced, notes);
  await noteMasterCallers(source, { tables, secrets }, notes);
  const owners = new Map(people.map((person) => [person.user.sourceId, person]));
  const current = keys.map((key) => tokenOf(key, { facts, person: owners.get(key.owner), units }, notes));
  const tokens = [...current, ...(await readRotatedKeys(source, tables, current, notes))];
  const persons = [...people, ...keyHolders(keys, facts)];
  const users = persons.map((person) => withFigures(person, tokens, units, notes));
  const sum = (amounts: readonly number[]): bigint =>
    amounts.reduce((total, amount) => total + BigInt(amount), 0n);
  const remaining = sum(persons.map(({ budget }) => units(leftOf(budget) ?? 0)));
  return {
    users,
    tokens,
    channels: models.map(({ channel }) => channel),
    codes: [],
    orders: [],
    tasks: [],
    limits: [
      ...allLimits({ people, keys, facts, models }, units),
      ...organizationLimits(facts, keys, units, notes),
      ...budgetOfEveryone(config, units, notes),
    ],
    options: optionsOf(models, facts, { ...options, timeZone: config.timeZone }),
    notes,
    quotaPerUnit: options.QuotaPerUnit,
    given: sum(users.map(({ quota }) => quota)) - remaining,
    unread: noSums(),
    sums: {
      balances: remaining,
      usedByAccounts: sum(users.map(({ usedQuota }) => usedQuota)),
      calls: 0n,
      allowances: sum(tokens.map(({ remainQuota }) => remainQuota)),
      usedByTokens: sum(tokens.map(({ usedQuota }) => usedQuota)),
      usedByChannels: 0n,
      unusedCodes: 0n,
    },
  };
}

/** Keys that were exchanged for a new one and are still valid for a while. */
async function readRotatedKeys(
  source: ForeignSource,
  tables: ReadonlyMap<string, readonly string[]>,
  current: readonly SourceToken[],
  notes: SourceNote[],
): Promise<SourceToken[]> {
  const table = 'LiteLLM_DeprecatedVerificationToken';
  if (!tables.has(table)) return [];
  return readRows(source, { table, key: 'id', notes }, (row) => {
    const active = current.find(({ sourceId }) => sourceId === row.text('active_token_id'));
    const digest = row.text('token').toLowerCase();
    const revokedAt = row.moment('revoke_at');
    if (active === undefined || revokedAt === null || !/^[0-9a-f]{64}$/.test(digest)) return null;
    return {
      ...active,
      sourceId: digest,
      key: { form: 'sha256', digest, ending: '' },
      name: `${active.name} (rotated)`,
      expiredTime: Math.floor(revokedAt / 1_000),
      remainQuota: 0,
      usedQuota: 0,
      // Both keys drew on one amount there.
      offReason: active.isUnlimited ? active.offReason : sentence('litellm_rotated_shares'),
    };
  });
}

/** The budget of the whole proxy is a setting of its `config.yaml`; its row holds a copy and the spend. */
function noteProxyBudget({ max, length }: Budget, notes: SourceNote[]): void {
  if (max === null) return;
  notes.push({
    kind: 'left-out',
    table: 'LiteLLM_UserTable',
    id: PROXY_BUDGET,
    sentence:
      length === ''
        ? sentence('litellm_proxy_budget', { max })
        : sentence('litellm_proxy_budget_each', { max, length }),
  });
}

function personOf(row: RowValues, nowMs: number): Person {
  const id = row.text('user_id');
  const mail = row.text('user_email').trim();
  const form = passwordFormOf(row.text('password'));
  return {
    budget: budgetOf(row, nowMs),
    limits: rateLimits({ scope: 'account', subject: id, name: mail || id }, row),
    modelBudgets: row.object('model_max_budget'),
    models: modelWords(row.texts('models')),
    user: {
      ...NOBODY,
      sourceId: id,
      username: mail === '' ? id : mail,
      displayName: row.text('user_alias') || (mail === '' ? id : mail),
      role: row.text('user_role') === 'proxy_admin' ? ADMINISTRATOR : 1,
      password: form === 'none' ? '' : row.text('password'),
      passwordForm: form,
      email: mail,
      createdAt: Math.floor((row.moment('created_at') ?? 0) / 1_000),
    },
  };
}

const NOBODY: Omit<SourceUser, 'quota' | 'usedQuota'> = {
  sourceId: '',
  number: null,
  username: '',
  displayName: '',
  role: 1,
  status: 1,
  deletedAtMs: null,
  password: '',
  passwordForm: 'none',
  email: '',
  group: 'default',
  accessToken: '',
  affCode: '',
  affCount: 0,
  affQuota: 0,
  affHistory: 0,
  inviter: '',
  bindings: {},
  setting: '',
  createdAt: 0,
  lastLoginAt: 0,
  requestCount: 0,
  totpSecret: '',
  passkeys: [],
  hasLostFactor: false,
};

/** Accounts for keys without a person: one for each team, one for all others. */
function keyHolders(keys: readonly LitellmKey[], { teams }: LitellmFacts): Person[] {
  const owners = new Set(keys.map(({ owner }) => owner));
  const holders: Person[] = [...teams.values()]
    .filter(({ id }) => owners.has(teamAccount(id)))
    .map(({ id, group, budget }) => ({
      budget,
      models: null,
      limits: [],
      modelBudgets: {},
      user: {
        ...NOBODY,
        sourceId: teamAccount(id),
        username: `litellm ${group}`,
        displayName: `Keys of ${group}`,
      },
    }));
  if (owners.has(KEYS_ACCOUNT))
    holders.push({
      budget: { max: null, spend: 0, length: '', soft: null },
      models: null,
      limits: [],
      modelBudgets: {},
      user: {
        ...NOBODY,
        sourceId: KEYS_ACCOUNT,
        username: 'litellm keys',
        displayName: 'Keys without a person',
      },
    });
  return holders;
}

function withFigures(
  { user, budget }: Person,
  tokens: readonly SourceToken[],
  units: (dollars: number) => number,
  notes: SourceNote[],
): SourceUser {
  const left = leftOf(budget);
  if (left === null)
    notes.push({
      kind: 'balance',
      table: 'LiteLLM_UserTable',
      id: user.sourceId,
      sentence: sentence('litellm_balance_given', { dollars: GIVEN_DOLLARS }),
    });
  const used = tokens.filter(({ owner }) => owner === user.sourceId).map(({ usedQuota }) => usedQuota);
  return {
    ...user,
    // A budget that renews is a limit; the balance lasts for several of its periods.
    quota: units(left === null ? GIVEN_DOLLARS : budget.length === '' ? left : Math.max(left, GIVEN_DOLLARS)),
    usedQuota: used.reduce((sum, amount) => sum + amount, 0),
  };
}

/** Groups of the teams and prices of the models, added to what is here. */
function optionsOf(
  models: readonly LitellmModel[],
  { teams }: LitellmFacts,
  options: LitellmSurroundings['options'] & { readonly timeZone: string },
): Map<string, string> {
  const groups = [...teams.values()].map(({ group }) => group);
  const ratios: Record<string, unknown> = { ...options.ModelRatio };
  const completion: Record<string, unknown> = { ...options.CompletionRatio };
  for (const { names, inputCost, outputCost } of models) {
    if (inputCost === null) continue;
    for (const name of names) {
      ratios[name] = round(inputCost * options.QuotaPerUnit);
      if (outputCost !== null) completion[name] = inputCost === 0 ? 1 : round(outputCost / inputCost);
    }
  }
  return new Map([
    ...(options.timeZone === '' ? [] : ([['LimitTimeZone', options.timeZone]] as const)),
    [
      'GroupRatio',
      JSON.stringify({ ...Object.fromEntries(groups.map((group) => [group, 1])), ...options.GroupRatio }),
    ],
    [
      'UserUsableGroups',
      JSON.stringify({
        ...Object.fromEntries(groups.map((group) => [group, group])),
        ...options.UserUsableGroups,
      }),
    ],
    ['ModelRatio', JSON.stringify(ratios)],
    ['CompletionRatio', JSON.stringify(completion)],
  ]);
}

/** Dollars a token are floating-point numbers there; ratios here are decimals. */
const round = (ratio: number): number => Number(ratio.toPrecision(12));
