import { momentOf } from '../../../common/moment.js';
import { parseJson } from '../../../common/parse-json.js';
import { type Facts, isRule, type Severity } from '../model/finding.js';
import type { AlertMessage, AlertPhase } from './alert-messages.js';
import type { AlertEntity } from './alert.entity.js';

type StoredAlert = Pick<AlertEntity, 'rule' | 'subject' | 'severity' | 'facts' | 'sinceMs' | 'overAtMs'>;

/** Nothing for a rule of another version: this one has no words for it. */
export function storedAlertMessages(row: StoredAlert, phase: AlertPhase): AlertMessage[] {
  const { rule, subject, sinceMs, overAtMs } = row;
  if (!isRule(rule)) return [];
  const facts = readFacts(row.facts);
  return [
    { phase, rule, subject, severity: row.severity as Severity, facts, sinceMs: momentOf(sinceMs), overAtMs },
  ];
}

/** Facts in another form must not keep the other alerts from being sent: the message has gaps then. */
export function readFacts(text: string): Facts {
  const facts = parseJson(text);
  return typeof facts === 'object' && facts !== null ? (facts as Facts) : {};
}
