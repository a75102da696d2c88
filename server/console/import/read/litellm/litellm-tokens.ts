import { type Sentence, sentence } from '../../../../common/import-sentences/sentence.js';
import type { SourceNote, SourceToken } from '../../source/records.js';
import type { Person } from './all-limits.js';
import { periodOf } from './budget-lengths.js';
import type { Budget, LitellmFacts } from './litellm-facts.js';
import { keySubject, type LitellmKey } from './litellm-keys.js';
import { budgetWindows, type LimitSubject, modelBudgets } from './litellm-limits.js';

type Units = (dollars: number) => number;

/** Facts that a key is judged with. */
interface KeySurroundings {
  readonly facts: LitellmFacts;
  /** Its owner; undefined = an account the import makes. */
  readonly person: Person | undefined;
  readonly units: Units;
}

/** Dollars that a budget leaves; null = it has no end. */
export const leftOf = ({ max, spend }: Budget): number | null =>
  max === null ? null : Math.max(0, max - spend);

/** A token with the allowance of its key. A budget that cannot be held, of the key or around it, switches it off. */
export function tokenOf(key: LitellmKey, surroundings: KeySurroundings, notes: SourceNote[]): SourceToken {
  const {
    budget,
    teamId: _team,
    organizationId: _organization,
    totalSpend,
    limits: _limits,
    modelBudgets: _models,
    budgetWindows: _windows,
    raise,
    ...token
  } = key;
  const { units } = surroundings;
  // An amount without a length is an allowance; the others are limits per period.
  const left = budget.length === '' ? leftOf(budget) : null;
  if (raise !== null && left !== null)
    notes.push({
      kind: 'changed',
      table: 'LiteLLM_VerificationToken',
      id: token.sourceId.slice(0, 20),
      sentence: sentence('litellm_raise_left', {
        dollars: raise.dollars,
        date: new Date(raise.untilMs).toISOString().slice(0, 10),
      }),
    });
  return {
    ...token,
    offReason: token.offReason ?? unheldOf(key, surroundings),
    isUnlimited: left === null,
    remainQuota: left === null ? 0 : units(left),
    usedQuota: Math.round(totalSpend * units(1)),
  };
}

const isUnheld = ({ max, length }: Budget): boolean => max !== null && periodOf(length) === null;

function unheldOf(key: LitellmKey, { facts, person, units }: KeySurroundings): Sentence | null {
  const { budget } = key;
  const subject: LimitSubject = keySubject(key.sourceId, key.name);
  if (isUnheld(budget)) return sentence('litellm_budget_not_held', { length: budget.length });
  if (modelBudgets(subject, key.modelBudgets, units) === null)
    return sentence('litellm_model_budget_not_held');
  if (budgetWindows(subject, key.budgetWindows, units) === null) return sentence('litellm_windows_not_held');
  const team = facts.teams.get(key.teamId);
  const member = facts.members.get(`${key.teamId} ${key.owner}`);
  const isTeamUnheld =
    (team !== undefined &&
      (isUnheld(team.budget) || budgetWindows(subject, team.budgetWindows, units) === null)) ||
    (member !== undefined && isUnheld(member));
  if (isTeamUnheld) return sentence('litellm_team_budget_not_held');
  const isPersonUnheld =
    person !== undefined &&
    (isUnheld(person.budget) || modelBudgets(subject, person.modelBudgets, units) === null);
  return isPersonUnheld ? sentence('litellm_person_budget_not_held') : null;
}
