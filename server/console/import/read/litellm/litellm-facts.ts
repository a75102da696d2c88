import { sentence } from '../../../../common/import-sentences/sentence.js';
import type { ForeignSource } from '../../../../infra/database/foreign-source.js';
import { isJsonObject } from '../../../../common/parse-json.js';
import type { SourceLimit, SourceNote } from '../../source/records.js';
import type { RowValues } from '../../source/row-values.js';
import { readRows } from '../read-rows.js';
import { rateLimits } from './litellm-limits.js';
import { aliasesOf, type Fallback, fallbacksOf } from './router-settings.js';

/** A limit of money, in dollars. */
export interface Budget {
  /** Null = none. */
  readonly max: number | null;
  readonly spend: number;
  /** Such as `30d`; empty = for ever. */
  readonly length: string;
  /** Null = no warning. */
  readonly soft: number | null;
}

export interface Team {
  readonly id: string;
  /** Name of its group here. */
  readonly group: string;
  readonly models: readonly string[] | null;
  readonly budget: Budget;
  readonly isBlocked: boolean;
  /** Names of restrictions that cannot be held here. */
  readonly rules: readonly string[];
  readonly limits: readonly SourceLimit[];
  /** Budgets of several periods, as LiteLLM stores them. */
  readonly budgetWindows: unknown;
  /** Empty = of none. */
  readonly organizationId: string;
}

/** An organization: its budget is divided among its teams and the keys beside them. */
export interface Organization {
  readonly name: string;
  readonly budget: Budget;
  readonly models: readonly string[] | null;
}

/** Tables that keys, people and channels of LiteLLM refer to. */
export interface LitellmFacts {
  readonly budgets: ReadonlyMap<
    string,
    Omit<Budget, 'spend'> & { readonly limits: RowValues; readonly isOver: boolean }
  >;
  readonly teams: ReadonlyMap<string, Team>;
  /** Budget of a person in a team, by `team user`. */
  readonly members: ReadonlyMap<string, Budget>;
  readonly aliases: ReadonlyMap<string, string>;
  readonly fallbacks: readonly Fallback[];
  readonly organizations: ReadonlyMap<string, Organization>;
  readonly credentials: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

const GROUP_MAX = 60;
const ID_CHARACTERS = 36;

export async function readFacts(
  source: ForeignSource,
  { tables, nowMs }: { readonly tables: ReadonlyMap<string, readonly string[]>; readonly nowMs: number },
  notes: SourceNote[],
): Promise<LitellmFacts> {
  const each = async <T>(table: string, key: string, toRecord: (row: RowValues) => T): Promise<T[]> =>
    tables.has(table) ? readRows(source, { table, key, notes }, toRecord) : [];
  const budgets = new Map(
    await each('LiteLLM_BudgetTable', 'budget_id', (row) => {
      const { spend: _spend, ...budget } = budgetOf(row, nowMs);
      return [row.text('budget_id'), { ...budget, limits: row, isOver: isWindowOver(row, nowMs) }] as const;
    }),
  );
  const organizations = new Map(
    await each('LiteLLM_OrganizationTable', 'organization_id', (row) => {
      const budget = budgets.get(row.text('budget_id')) ?? NO_BUDGET;
      const organization: Organization = {
        name: row.text('organization_alias'),
        models: modelWords(row.texts('models')),
        budget: sharedBudget(budget, row),
      };
      return [row.text('organization_id'), organization] as const;
    }),
  );
  const aliasesOfTeams = new Map(
    await each('LiteLLM_ModelTable', 'id', (row) => [row.text('id'), row.object('aliases')] as const),
  );
  const taken = new Set<string>();
  const teams = await each('LiteLLM_TeamTable', 'team_id', (row) => {
    noteFallbacks(row, row.text('team_id'), notes);
    noteAliases(row, aliasesOfTeams.get(row.text('model_id')) ?? {}, notes);
    return { ...teamOf(row, taken, organizations), budget: budgetOf(row, nowMs) };
  });
  const members = await each('LiteLLM_TeamMembership', 'user_id', (row) => {
    const budget = budgets.get(row.text('budget_id')) ?? NO_BUDGET;
    return [`${row.text('team_id')} ${row.text('user_id')}`, sharedBudget(budget, row)] as const;
  });
  const credentials = await each(
    'LiteLLM_CredentialsTable',
    'credential_id',
    (row) => [row.text('credential_name'), row.object('credential_values')] as const,
  );
  return {
    budgets,
    teams: new Map(teams.map((team) => [team.id, team])),
    members: new Map(members),
    ...(await readRouter(each)),
    organizations,
    credentials: new Map(credentials),
  };
}

/** Names models that LiteLLM would have gone on with when the budget of another one was spent. */
export function noteFallbacks(row: RowValues, id: string, notes: SourceNote[]): void {
  const fallbacks = Object.keys(row.object('budget_fallbacks'));
  if (fallbacks.length === 0) return;
  notes.push({
    kind: 'changed',
    table: row.table,
    id,
    sentence: sentence('litellm_budget_fallbacks', { models: fallbacks.join(', ').slice(0, 200) }),
  });
}

/** Restrictions in the metadata of a key or team, which no limit here can hold. */
export function rulesOf(row: RowValues): string[] {
  const metadata = row.object('metadata');
  return ['guardrails', 'enforced_params'].filter((name) => {
    const value = metadata[name];
    return Array.isArray(value) ? value.length > 0 : typeof value === 'string' && value !== '';
  });
}

/** Names that a key or a team had for models, beside those of the whole proxy. */
export function noteAliases(
  row: RowValues,
  own: Readonly<Record<string, unknown>>,
  notes: SourceNote[],
): void {
  const names = [...new Set([...Object.keys(own), ...aliasesOf(row.object('router_settings')).keys()])];
  if (names.length === 0) return;
  notes.push({
    kind: 'changed',
    table: row.table,
    id: row.text(row.table === 'LiteLLM_TeamTable' ? 'team_id' : 'token').slice(0, ID_CHARACTERS),
    sentence: sentence('litellm_aliases_left', { names: names.join(', ').slice(0, 200) }),
  });
}

export const amountOf = (row: RowValues, column: string): number | null =>
  row.has(column) ? row.number(column) : null;

const NO_BUDGET = { max: null, length: '', soft: null, isOver: false } as const;

/** True when the period that `spend` counts has ended: LiteLLM was stopped before it began the next one. */
const isWindowOver = (row: RowValues, nowMs: number): boolean => {
  const end = row.moment('budget_reset_at');
  return row.text('budget_duration') !== '' && end !== null && end <= nowMs;
};

/** A budget of the budget table with the spend of the row that refers to it. */
const sharedBudget = (
  { max, length, soft, isOver }: Omit<Budget, 'spend'> & { readonly isOver: boolean },
  row: RowValues,
): Budget => ({ max, length, soft, spend: isOver ? 0 : row.number('spend') });

/** The budget in the columns that keys, people, teams and the budget table share. */
export const budgetOf = (row: RowValues, nowMs: number): Budget => ({
  max: amountOf(row, 'max_budget'),
  soft: amountOf(row, 'soft_budget'),
  spend: row.has('spend') && !isWindowOver(row, nowMs) ? row.number('spend') : 0,
  length: row.text('budget_duration'),
});

function teamOf(
  row: RowValues,
  taken: Set<string>,
  organizations: ReadonlyMap<string, Organization>,
): Omit<Team, 'budget'> {
  const name = row.text('team_alias') || row.text('team_id');
  const plain = [...name.replaceAll(/[,\s]+/g, ' ').trim()].slice(0, GROUP_MAX).join('');
  const group = taken.has(plain) ? `${plain} ${row.text('team_id').slice(0, 3)}` : plain;
  taken.add(group);
  return {
    id: row.text('team_id'),
    group,
    models: both(
      modelWords(row.texts('models')),
      organizations.get(row.text('organization_id'))?.models ?? null,
    ),
    organizationId: row.text('organization_id'),
    rules: rulesOf(row),
    isBlocked: row.flag('blocked'),
    budgetWindows: row.json('budget_limits'),
    limits: rateLimits({ scope: 'call_group', subject: group, name: group }, row),
  };
}

/** Models a list allows; null = all. `all-team-models` allows what the team allows. */
export function modelWords(list: readonly string[] | null): readonly string[] | null {
  if (list === null || list.length === 0) return null;
  if (list.includes('all-proxy-models') || list.includes('all-team-models') || list.includes('*'))
    return null;
  return list.filter((name) => name !== 'no-default-models' && !name.includes('*'));
}

/** Models that both lists allow; null = all. */
export function both(
  one: readonly string[] | null,
  other: readonly string[] | null,
): readonly string[] | null {
  if (one === null) return other;
  return other === null ? one : one.filter((name) => other.includes(name));
}

/** Aliases and fallbacks that are stored in the database. */
async function readRouter(
  each: <T>(table: string, key: string, toRecord: (row: RowValues) => T) => Promise<T[]>,
): Promise<Pick<LitellmFacts, 'aliases' | 'fallbacks'>> {
  const sections = await each('LiteLLM_Config', 'param_name', (row) => {
    const value = row.json('param_value');
    return [row.text('param_name'), isJsonObject(value) ? value : {}] as const;
  });
  const of = (name: string): Readonly<Record<string, unknown>> =>
    sections.find(([section]) => section === name)?.[1] ?? {};
  const router = of('router_settings');
  return {
    aliases: aliasesOf(router),
    fallbacks: [...fallbacksOf(router), ...fallbacksOf(of('litellm_settings'))],
  };
}
