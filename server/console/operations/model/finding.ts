import { ALERT_RULES } from '../../../base/options/alert-rules.js';
import type { Moment } from '../../../common/moment.js';

/** notice: for information; warning: needs attention today; fault: needs attention now. */
export type Severity = 'notice' | 'warning' | 'fault';

export { ALERT_RULES as RULES } from '../../../base/options/alert-rules.js';
export type Rule = (typeof ALERT_RULES)[number];

export const isRule = (text: string): text is Rule => (ALERT_RULES as readonly string[]).includes(text);

/** Values for the messages of a rule. */
export type Facts = Readonly<Record<string, string | number>>;

/** A fault, as a rule sees it at one moment. */
export interface Finding {
  readonly rule: Rule;
  /** Within the rule: an instance, a model, a channel. Empty = the installation. At most 180 characters. */
  readonly subject: string;
  readonly severity: Severity;
  readonly facts: Facts;
  /** When it began, as far as can be known. */
  readonly sinceMs: Moment;
  /** Tolerance before it is sent; Infinity = it is only shown. */
  readonly notifyAfterMs: number;
}

export const findingKey = ({ rule, subject }: Pick<Finding, 'rule' | 'subject'>): string =>
  `${rule} ${subject}`;
