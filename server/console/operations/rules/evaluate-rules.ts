import { type Finding, type Rule, RULES, type Severity } from '../model/finding.js';
import { FLEET_RULES } from './fleet-rules.js';
import type { Observation, RuleTable } from '../model/observation.js';
import { SERVICE_RULES } from './service-rules.js';
import { WORKER_RULES } from './worker-rules.js';

const TABLE: RuleTable = { ...SERVICE_RULES, ...FLEET_RULES, ...WORKER_RULES };

const WEIGHT: Readonly<Record<Severity, number>> = { fault: 0, warning: 1, notice: 2 };

export interface RuleResults {
  /** Gravest first. */
  readonly findings: readonly Finding[];
  /** Rules that cannot say anything at the moment, and why. */
  readonly blind: ReadonlyMap<Rule, string>;
}

/** Every rule by itself: one that fails, or whose source does, keeps no other from finding something. */
export function evaluateEach(observation: Observation): RuleResults {
  const blind = new Map(observation.unread);
  const findings: Finding[] = [];
  for (const rule of RULES) {
    if (blind.has(rule)) continue;
    try {
      findings.push(...TABLE[rule](observation));
    } catch (error) {
      blind.set(rule, String(error));
    }
  }
  return { findings: findings.sort(byWeight), blind };
}

/**
 * Everything that is not as it should be now, gravest first. The status page shows all of it; alerts are what lasts longer than its
 * rule tolerates.
 */
export const evaluateRules = (observation: Observation): readonly Finding[] =>
  evaluateEach(observation).findings;

const byWeight = (left: Finding, right: Finding): number =>
  WEIGHT[left.severity] - WEIGHT[right.severity] || left.sinceMs - right.sinceMs;
