import { type Finding, type Rule, RULES, type Severity } from '../model/finding.js';
import { CHANNEL_RULES } from './channel-rules.js';
import { FLEET_RULES } from './fleet-rules.js';
import type { FleetMinute, Observation, RuleTable } from '../model/observation.js';
import { WORKER_RULES } from './worker-rules.js';
import { momentOf } from '../../../common/moment.js';
import { storedKey } from '../../../common/stored-key.js';

const MINUTE_MS = 60_000;
/** An error rate counts when it lasted this many minutes, with at least so many calls in them. */
const ERROR_MINUTES = 5;
const MIN_CALLS = 20;
const MODEL_OUT_MS = 300_000;

/** Rules about calls and the books of the installation as a whole. */
export const SERVICE_RULES = {
  'database-away': databaseAway,
  'error-rate': errorRate,
  writeoffs,
  overruns,
  'model-out': modelsOut,
  'channel-balance': channelBalances,
  'order-mismatch': orderIncidents,
  'books-differ': booksDiffer,
  'mail-failing': failingMail,
} satisfies Partial<RuleTable>;

const shareOf = (minutes: readonly FleetMinute[]): { calls: number; errors: number } =>
  minutes.reduce((sum, { calls, errors }) => ({ calls: sum.calls + calls, errors: sum.errors + errors }), {
    calls: 0,
    errors: 0,
  });

const TABLE: RuleTable = { ...SERVICE_RULES, ...CHANNEL_RULES, ...FLEET_RULES, ...WORKER_RULES };

const WEIGHT: Readonly<Record<Severity, number>> = { fault: 0, warning: 1, notice: 2 };

export interface RuleResults {
  /** Gravest first. */
  readonly findings: readonly Finding[];
  /** Rules without a result at the moment, and the reason. */
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
 * All current findings, most severe first. The status page shows all of them; alerts are those that last longer than their rule
 * tolerates.
 */
export const evaluateRules = (observation: Observation): readonly Finding[] =>
  evaluateEach(observation).findings;

const byWeight = (left: Finding, right: Finding): number =>
  WEIGHT[left.severity] - WEIGHT[right.severity] || left.sinceMs - right.sinceMs;

function databaseAway({ databaseAwaySinceMs }: Observation): Finding[] {
  if (databaseAwaySinceMs === null) return [];
  return [
    {
      rule: 'database-away',
      subject: '',
      severity: 'fault',
      facts: {},
      sinceMs: momentOf(databaseAwaySinceMs),
      notifyAfterMs: MINUTE_MS,
    },
  ];
}

/** Above the limit over five minutes, and not only in one bad one of them. */
function errorRate({ minutes, nowMs, thresholds: { errorRatePercent } }: Observation): Finding[] {
  const oldest = Math.floor(nowMs / MINUTE_MS) - ERROR_MINUTES - 1;
  const lately = minutes.filter(({ minute }) => minute >= oldest).slice(-ERROR_MINUTES);
  const { calls, errors } = shareOf(lately);
  const percent = calls === 0 ? 0 : (errors / calls) * 100;
  const bad = lately.filter((minute) => minute.errors > (minute.calls * errorRatePercent) / 100);
  if (calls < MIN_CALLS || percent <= errorRatePercent || bad.length < ERROR_MINUTES - 2) return [];
  return [
    {
      rule: 'error-rate',
      subject: '',
      severity: 'fault',
      facts: { percent: Math.round(percent * 10) / 10, limit: errorRatePercent, errors, calls },
      sinceMs: momentOf((bad[0]?.minute ?? 0) * MINUTE_MS),
      notifyAfterMs: 0,
    },
  ];
}

function writeoffs({ minutes, nowMs, thresholds: { writeoffQuota: limit } }: Observation): Finding[] {
  const lost = minutes.filter(({ writeoffQuota }) => writeoffQuota > 0);
  const quota = lost.reduce((sum, minute) => sum + minute.writeoffQuota, 0);
  if (limit === 0 || quota <= limit) return [];
  const sinceMs = momentOf((lost[0]?.minute ?? nowMs / MINUTE_MS) * MINUTE_MS);
  return [
    { rule: 'writeoffs', subject: '', severity: 'fault', facts: { quota, limit }, sinceMs, notifyAfterMs: 0 },
  ];
}

/** Always shown; sent when their sum exceeds the write-off limit. */
function overruns({ minutes, nowMs, thresholds: { writeoffQuota: limit } }: Observation): Finding[] {
  const over = minutes.filter(({ overrunCalls }) => overrunCalls > 0);
  if (over.length === 0) return [];
  const calls = over.reduce((sum, { overrunCalls }) => sum + overrunCalls, 0);
  const quota = over.reduce((sum, { overrunQuota }) => sum + overrunQuota, 0);
  const isMuch = limit > 0 && quota > limit;
  return [
    {
      rule: 'overruns',
      subject: '',
      severity: isMuch ? 'warning' : 'notice',
      facts: { calls, quota },
      sinceMs: momentOf((over[0]?.minute ?? nowMs / MINUTE_MS) * MINUTE_MS),
      notifyAfterMs: isMuch ? 0 : Number.POSITIVE_INFINITY,
    },
  ];
}

function modelsOut({ stored }: Observation): Finding[] {
  return (stored?.modelsOut ?? []).map(({ model, sinceMs }) => ({
    rule: 'model-out',
    subject: storedKey(model),
    severity: 'fault',
    facts: { model },
    sinceMs: momentOf(sinceMs),
    notifyAfterMs: MODEL_OUT_MS,
  }));
}

function channelBalances({ stored, thresholds: { channelBalance: limit } }: Observation): Finding[] {
  if (limit === 0) return [];
  return (stored?.balances ?? [])
    .filter(({ balance }) => balance < limit)
    .map(({ channelId, name, balance, updatedAtMs }) => ({
      rule: 'channel-balance',
      subject: String(channelId),
      severity: 'warning',
      facts: { channel: name, channelId, balance: Math.round(balance * 100) / 100, limit },
      sinceMs: momentOf(updatedAtMs),
      notifyAfterMs: 0,
    }));
}

/** One finding per kind: the acknowledgement of one must not hide another. */
function orderIncidents({ stored }: Observation): Finding[] {
  return (stored?.orders ?? []).map(({ kind, count, sinceMs }) => ({
    rule: 'order-mismatch',
    subject: kind === 'mismatch' ? '' : kind,
    severity: kind === 'refunded' ? 'warning' : 'fault',
    facts: { count, kind },
    sinceMs: momentOf(sinceMs),
    notifyAfterMs: 0,
  }));
}

function booksDiffer({ stored }: Observation): Finding[] {
  const check = stored?.booksCheck ?? null;
  if (check === null || check.differences <= 0) return [];
  return [
    {
      rule: 'books-differ',
      subject: '',
      severity: 'fault',
      facts: { differences: check.differences, atMs: check.atMs },
      sinceMs: momentOf(check.atMs),
      notifyAfterMs: 0,
    },
  ];
}

/** Untried settings are shown only: the first mail decides. */
function failingMail({ stored, nowMs }: Observation): Finding[] {
  const trouble = stored?.mail ?? null;
  if (trouble === null) return [];
  const { kind } = trouble;
  const base = { rule: 'mail-failing', subject: kind === 'failing' ? '' : kind } as const;
  if (kind === 'unproven')
    return [
      {
        ...base,
        severity: 'notice',
        facts: { kind },
        sinceMs: nowMs,
        notifyAfterMs: Number.POSITIVE_INFINITY,
      },
    ];
  const { failures, fault, isDemanded, sinceMs } = trouble;
  return [
    {
      ...base,
      severity: isDemanded ? 'fault' : 'warning',
      facts: { kind, failures, fault },
      sinceMs: momentOf(sinceMs),
      notifyAfterMs: MINUTE_MS,
    },
  ];
}
