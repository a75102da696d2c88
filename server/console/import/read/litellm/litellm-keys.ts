import { type Sentence, sentence } from '../../../../common/import-sentences/sentence.js';
import type { ForeignSource } from '../../../../infra/database/foreign-source.js';
import type { SourceLimit, SourceNote, SourceToken } from '../../source/records.js';
import type { RowValues } from '../../source/row-values.js';
import { readRows } from '../read-rows.js';
import {
  both,
  type Budget,
  budgetOf,
  type LitellmFacts,
  modelWords,
  noteAliases,
  noteFallbacks,
  rulesOf,
} from './litellm-facts.js';
import { type LimitSubject, rateLimits } from './litellm-limits.js';

/** Sessions of LiteLLM's console, which are no keys of people. */
const DASHBOARD = 'litellm-dashboard';
/** Row in place of a person that LiteLLM keeps the spend of the whole proxy in. Each start of old versions made a key for it. */
export const PROXY_BUDGET = 'litellm-proxy-budget';
/** Source id of the account that holds keys without a person and without a team. */
export const KEYS_ACCOUNT = 'keys';
export const teamAccount = (teamId: string): string => `team:${teamId}`;

/** More dollars for a while. */
export interface BudgetRaise {
  readonly dollars: number;
  readonly untilMs: number;
}

/** A raise that has not ended, of the key's metadata. */
function raiseOf(row: RowValues, nowMs: number): BudgetRaise | null {
  const { temp_budget_increase: given, temp_budget_expiry: end } = row.object('metadata');
  const dollars = Number(given);
  const untilMs =
    typeof end === 'string'
      ? Date.parse(end.length > 10 && !/Z|[+-]\d\d:?\d\d$/.test(end) ? `${end}Z` : end)
      : Number.NaN;
  return given !== undefined && Number.isFinite(dollars) && dollars > 0 && untilMs > nowMs
    ? { dollars, untilMs }
    : null;
}

/** A key with what it may still spend. */
export interface LitellmKey extends Omit<SourceToken, 'remainQuota' | 'usedQuota'> {
  readonly teamId: string;
  /** Organization of a key beside the teams; empty = none. */
  readonly organizationId: string;
  /** Its own limit, in dollars. */
  readonly budget: Budget;
  readonly limits: readonly SourceLimit[];
  /** Budgets by model, as LiteLLM stores them. */
  readonly modelBudgets: Readonly<Record<string, unknown>>;
  /** Budgets of several periods, as LiteLLM stores them. */
  readonly budgetWindows: unknown;
  /** A raise of its budget for some time; null = none. */
  readonly raise: BudgetRaise | null;
  /** Dollars of all time. */
  readonly totalSpend: number;
}

/** Keys of LiteLLM, known by their SHA-256 only. */
export async function readLitellmKeys(
  source: ForeignSource,
  context: {
    readonly facts: LitellmFacts;
    /** Models of each person's own keys; null = all. */
    readonly people: ReadonlyMap<string, readonly string[] | null>;
    readonly nowMs: number;
    readonly notes: SourceNote[];
  },
): Promise<LitellmKey[]> {
  const { notes } = context;
  return readRows(source, { table: 'LiteLLM_VerificationToken', key: 'token', notes }, (row) => {
    if (row.text('team_id') === DASHBOARD || row.text('user_id') === PROXY_BUDGET) return null;
    return keyOf(row, context);
  });
}

function keyOf(
  row: RowValues,
  {
    facts,
    people,
    nowMs,
    notes,
  }: {
    readonly facts: LitellmFacts;
    readonly people: ReadonlyMap<string, readonly string[] | null>;
    readonly nowMs: number;
    readonly notes: SourceNote[];
  },
): LitellmKey | null {
  const digest = row.text('token').toLowerCase();
  const teamId = row.text('team_id');
  const team = facts.teams.get(teamId);
  const person = row.text('user_id');
  const isOwned = people.has(person);
  const organization = team === undefined ? facts.organizations.get(row.text('organization_id')) : undefined;
  const ending = row.text('key_name').slice(-4);
  if (!/^[0-9a-f]{64}$/.test(digest)) {
    notes.push({
      kind: 'damaged',
      table: row.table,
      id: digest.slice(0, 20),
      sentence: sentence('litellm_key_no_digest'),
    });
    return null;
  }
  noteFallbacks(row, digest.slice(0, 20), notes);
  noteAliases(row, row.object('aliases'), notes);
  const own = modelWords(row.texts('models'));
  const isClosed = (row.texts('models') ?? []).includes('no-default-models');
  const limits = team === undefined ? (isOwned ? (people.get(person) ?? null) : null) : team.models;
  const routes = row.texts('allowed_routes') ?? [];
  const expires = row.moment('expires');
  const budgetId = row.text('budget_id');
  const subject = keySubject(digest, row.text('key_alias') || `sk-…${ending}`);
  return {
    sourceId: digest,
    number: null,
    owner: isOwned ? person : team === undefined ? KEYS_ACCOUNT : teamAccount(teamId),
    key: { form: 'sha256', digest, ending },
    name: row.text('key_alias') || `sk-…${ending}`,
    offReason: offReasonOf({
      isTeamGone: teamId !== '' && team === undefined,
      isTeamBlocked: team?.isBlocked === true,
      routes,
      rules: [...rulesOf(row), ...(team?.rules ?? [])],
    }),
    isOff: row.flag('blocked'),
    createdTime: Math.floor((row.moment('created_at') ?? 0) / 1_000),
    accessedTime: Math.floor((row.moment('last_active') ?? 0) / 1_000),
    expiredTime: expires === null ? -1 : Math.floor(expires / 1_000),
    isUnlimited: false,
    models: isClosed ? [] : both(both(own, limits), organization?.models ?? null),
    allowIps: '',
    group: team?.group ?? '',
    deletedAtMs: null,
    teamId,
    organizationId: team === undefined ? row.text('organization_id') : '',
    budget: row.has('max_budget')
      ? budgetOf(row, nowMs)
      : { ...budgetOf(row, nowMs), ...tableBudget(facts, budgetId) },
    raise: raiseOf(row, nowMs),
    limits: [...rateLimits(subject, row), ...tableLimits(facts, budgetId, subject)],
    modelBudgets: {
      ...facts.budgets.get(budgetId)?.limits.object('model_max_budget'),
      ...row.object('model_max_budget'),
    },
    budgetWindows: row.json('budget_limits'),
    totalSpend: row.has('total_spend') ? row.number('total_spend') : row.number('spend'),
  };
}

export const keySubject = (digest: string, name: string): LimitSubject => ({
  scope: 'token',
  subject: digest,
  name,
});

function tableBudget({ budgets }: LitellmFacts, id: string): Partial<Budget> {
  const budget = budgets.get(id);
  if (budget === undefined) return {};
  const { max, length, soft, isOver } = budget;
  return { max, length, soft, ...(isOver ? { spend: 0 } : {}) };
}

function tableLimits({ budgets }: LitellmFacts, id: string, subject: LimitSubject): SourceLimit[] {
  const budget = budgets.get(id);
  return budget === undefined ? [] : rateLimits(subject, budget.limits);
}

const CALL_ROUTES = new Set(['llm_api_routes', 'openai_routes', '*']);

function offReasonOf(facts: {
  readonly isTeamGone: boolean;
  readonly isTeamBlocked: boolean;
  readonly routes: readonly string[];
  readonly rules: readonly string[];
}): Sentence | null {
  if (facts.isTeamBlocked) return sentence('litellm_team_blocked');
  if (facts.isTeamGone) return sentence('litellm_team_missing');
  if (facts.rules.length > 0)
    return sentence('litellm_rules_not_held', { names: [...new Set(facts.rules)].join(', ') });
  if (facts.routes.length > 0 && !facts.routes.some((route) => CALL_ROUTES.has(route)))
    return sentence('litellm_routes_only', { routes: facts.routes.join(', ').slice(0, 100) });
  return null;
}
