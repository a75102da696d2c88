import { sentence } from '../../../../common/import-sentences/sentence.js';
import type { SourceLimit, SourceNote } from '../../source/records.js';
import type { LitellmConfig } from './config-file.js';
import type { LitellmFacts } from './litellm-facts.js';
import { type LitellmKey, keySubject } from './litellm-keys.js';
import { budgetLimit, type LimitSubject } from './litellm-limits.js';

type Units = (dollars: number) => number;

/**
 * Budgets of organizations. A limit counts one group or one key here: the amount is divided among the teams and the keys beside them, so
 * that together they spend no more.
 */
export function organizationLimits(
  { organizations, teams }: LitellmFacts,
  keys: readonly LitellmKey[],
  units: Units,
  notes: SourceNote[],
): SourceLimit[] {
  return [...organizations].flatMap(([id, { name, budget }]) => {
    const { max } = budget;
    if (max === null) return [];
    const subjects: LimitSubject[] = [
      ...[...teams.values()]
        .filter(({ organizationId }) => organizationId === id)
        .map(({ group }): LimitSubject => ({
          scope: 'call_group',
          subject: group,
          name: `${name} ${group}`,
        })),
      ...keys
        .filter(({ organizationId }) => organizationId === id)
        .map((key) => keySubject(key.sourceId, `${name} ${key.name}`)),
    ];
    const share = { max: max / subjects.length, spend: budget.spend / subjects.length, soft: null };
    const limits = subjects.flatMap((subject) => {
      const limit = budgetLimit(subject, { ...share, length: budget.length }, units);
      return limit === null ? [] : [{ ...limit, sourceId: `${limit.sourceId}:organization`.slice(0, 191) }];
    });
    notes.push({
      kind: limits.length < subjects.length ? 'left-out' : 'changed',
      table: 'LiteLLM_OrganizationTable',
      id,
      sentence:
        limits.length < subjects.length
          ? sentence('litellm_organization_not_held', { name, max, length: budget.length })
          : sentence('litellm_organization_divided', { name, max, count: subjects.length }),
    });
    return limits;
  });
}

/** The budget of the whole proxy in the configuration file. */
export function budgetOfEveryone(
  { budget }: LitellmConfig,
  units: Units,
  notes: SourceNote[],
): SourceLimit[] {
  if (budget === null) return [];
  const limit = budgetLimit(
    { scope: 'everyone', subject: '', name: 'LiteLLM' },
    { ...budget, spend: 0, soft: null },
    units,
  );
  if (limit === null)
    notes.push({
      kind: 'left-out',
      table: 'config.yaml',
      id: 'litellm_settings',
      sentence: sentence('litellm_everyone_not_held', { length: budget.length }),
    });
  return limit === null ? [] : [limit];
}
