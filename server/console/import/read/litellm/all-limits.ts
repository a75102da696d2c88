import type { SourceLimit, SourceUser } from '../../source/records.js';
import type { LitellmModel } from './litellm-channels.js';
import type { Budget, LitellmFacts } from './litellm-facts.js';
import { keySubject, type LitellmKey } from './litellm-keys.js';
import { budgetLimit, budgetWindows, type LimitSubject, modelBudgets } from './litellm-limits.js';

/** An account with the budgets it had. */
export interface Person {
  readonly user: Omit<SourceUser, 'quota' | 'usedQuota'>;
  readonly budget: Budget;
  readonly models: readonly string[] | null;
  readonly limits: readonly SourceLimit[];
  readonly modelBudgets: Readonly<Record<string, unknown>>;
}

/** A limit with the temporary raise of its key, until which it has another amount. */
function raised(
  limit: SourceLimit,
  { raise, budget }: LitellmKey,
  units: (dollars: number) => number,
): SourceLimit {
  if (raise === null || budget.max === null || budget.max === 0) return limit;
  const share = limit.amount / units(budget.max);
  const amount = Math.floor(units(budget.max + raise.dollars) * share);
  return { ...limit, override: { amount, untilMs: raise.untilMs } };
}

/** Limits of keys, of people, of teams, and of people in a team, which are divided among their keys there. */
export function allLimits(
  {
    people,
    keys,
    facts,
    models,
  }: {
    readonly people: readonly Person[];
    readonly keys: readonly LitellmKey[];
    readonly facts: LitellmFacts;
    readonly models: readonly LitellmModel[];
  },
  units: (dollars: number) => number,
): SourceLimit[] {
  const budget = (subject: LimitSubject, { max, ...rest }: Budget): SourceLimit[] => {
    const limit = max === null ? null : budgetLimit(subject, { max, ...rest }, units);
    return limit === null ? [] : [limit];
  };
  const ofKeys = keys.flatMap((key) => {
    const subject = keySubject(key.sourceId, key.name);
    const member = facts.members.get(`${key.teamId} ${key.owner}`);
    const beside = keys.filter(({ teamId, owner }) => teamId === key.teamId && owner === key.owner).length;
    const share: SourceLimit[] =
      member?.max == null
        ? []
        : budget(
            { ...subject, name: `${key.name} in its team` },
            { ...member, max: member.max / beside, spend: member.spend / beside, soft: null },
          ).map((limit) => ({ ...limit, sourceId: `${limit.sourceId}:member` }));
    return [
      ...key.limits,
      ...(key.budget.length === ''
        ? []
        : budget(subject, key.budget).map((limit) => raised(limit, key, units))),
      ...(modelBudgets(subject, key.modelBudgets, units) ?? []),
      ...(budgetWindows(subject, key.budgetWindows, units) ?? []),
      ...share,
    ];
  });
  const ofPeople = people.flatMap((person) => {
    const subject: LimitSubject = {
      scope: 'account',
      subject: person.user.sourceId,
      name: person.user.username,
    };
    return [
      ...person.limits,
      ...(person.budget.length === '' ? [] : budget(subject, person.budget)),
      ...(modelBudgets(subject, person.modelBudgets, units) ?? []),
    ];
  });
  const ofTeams = [...facts.teams.values()].flatMap((team) => {
    const subject: LimitSubject = { scope: 'call_group', subject: team.group, name: team.group };
    // Keys of a team whose budget cannot be held are off.
    const windows = budgetWindows(subject, team.budgetWindows, units) ?? [];
    return [...team.limits, ...budget(subject, team.budget), ...windows];
  });
  const all = [...ofKeys, ...ofPeople, ...ofTeams, ...models.flatMap(({ limits }) => limits)];
  // A key's own limit beats that of its budget.
  return [...new Map(all.toReversed().map((limit) => [limit.sourceId, limit])).values()].toReversed();
}
