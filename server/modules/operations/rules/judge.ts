import type { Finding, Severity } from './finding.js';
import { fleetFindings } from './fleet-rules.js';
import type { Observation } from './observation.js';
import { serviceFindings } from './service-rules.js';
import { workerFindings } from './worker-rules.js';

const WEIGHT: Readonly<Record<Severity, number>> = { fault: 0, warning: 1, notice: 2 };

/**
 * Everything that is not as it should be now, gravest first. The status page shows all of it; alerts are what lasts longer than its
 * rule tolerates.
 */
export function judge(observation: Observation): readonly Finding[] {
  return [
    ...serviceFindings(observation),
    ...fleetFindings(observation),
    ...workerFindings(observation),
  ].sort((left, right) => WEIGHT[left.severity] - WEIGHT[right.severity] || left.sinceMs - right.sinceMs);
}
