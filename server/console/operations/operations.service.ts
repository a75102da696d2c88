import { Inject, Injectable } from '@nestjs/common';
import type { Language } from '../../common/language.js';
import { Env } from '../../config/env.js';
import {
  HOST_LIST_VARIABLES,
  type HostListName,
  hostListsInForce,
  OUTBOUND_CALLERS,
} from '../../infra/http-client/outbound-callers.js';
import type { Actor } from '../../base/access/current-actor.js';
import { BOOT_ID } from '../../base/billing/ledger/billing.tokens.js';
import { OptionsService } from '../../base/options/options.service.js';
import { ROLE } from '../../base/access/user.codes.js';
import type { OperationsStatusView, WorkerView } from './dto/status.dto.js';
import { FleetObserver } from './fleet/fleet-observer.js';
import { evaluateRules } from './rules/evaluate-rules.js';
import { findingText } from './alerts/finding-texts.js';
import { aliveWorkers, type FleetInstance, type FleetWorker, shownFleet } from './model/fleet.js';
import { failureText } from './alerts/failure-texts.js';
import { failureFacts } from './rules/channel-rules.js';
import { causeText } from './alerts/cause-texts.js';
import { modeMeaning } from './alerts/mode-texts.js';
import type { Finding } from './model/finding.js';
import type { Observation } from './model/observation.js';

const seconds = (ms: number): number => Math.max(0, Math.floor(ms / 1_000));

/** Installation as administrators see it. */
@Injectable()
export class OperationsService {
  constructor(
    @Inject(FleetObserver) private readonly observer: FleetObserver,
    @Inject(BOOT_ID) private readonly bootId: string,
    @Inject(Env) private readonly env: Env,
    private readonly options: OptionsService,
  ) {}

  async status(actor: Actor, language: Language): Promise<OperationsStatusView> {
    const observation = await this.observer.observe();
    const reader = {
      language,
      isRoot: actor.role >= ROLE.root,
      answeredBy: this.bootId,
      hostLists: hostListsInForce(this.env),
      isLoopback: this.env.isLoopback,
      dailyQuotaLimit: this.options.values().AdministratorDailyQuotaLimit,
    };
    return presentStatus(observation, evaluateRules(observation), reader);
  }
}

export interface StatusReader {
  readonly language: Language;
  /** Root gets addresses and the details of the books. */
  readonly isRoot: boolean;
  /** Private hosts that the environment of this worker opens to outbound calls. */
  readonly hostLists: ReturnType<typeof hostListsInForce>;
  /** True when this worker listens on a loopback address. */
  readonly isLoopback: boolean;
  /** Quota an administrator may add within a day; 0 = no limit. */
  readonly dailyQuotaLimit: number;
  /** Boot id of the worker that answers. */
  readonly answeredBy: string;
}

/** Observation and findings, as the console reads them. */
export function presentStatus(
  observation: Observation,
  findings: readonly Finding[],
  reader: StatusReader,
): OperationsStatusView {
  const { fleet, minutes, jobs, stored, nowMs } = observation;
  const books = stored?.booksCheck ?? null;
  return {
    checked_at: seconds(nowMs),
    answered_by: reader.answeredBy,
    database_readable: stored !== null,
    level: findings[0]?.severity ?? 'ok',
    revision: Math.max(0, ...aliveWorkers(fleet).map(({ report }) => report.revision.number)),
    findings: findings.map(({ rule, subject, severity, facts, sinceMs }) => ({
      rule,
      subject,
      severity,
      since: seconds(sinceMs),
      ...findingText(rule, facts, reader.language),
    })),
    instances: shownFleet(fleet, nowMs).map((instance) => presentInstance(instance, reader)),
    totals: {
      ...totalsOf(aliveWorkers(fleet)),
      reserved_quota: stored?.reserved.quota ?? null,
      reservation_oldest_seconds: stored?.reserved.oldestSeconds ?? null,
    },
    modes: modesOf(aliveWorkers(fleet), reader.language),
    breakers: breakersOf(aliveWorkers(fleet), stored, reader.language),
    history: minutes.map(({ minute, calls, errors, firstTokenP95Ms, settlementLagMs }) => ({
      at: minute * 60,
      calls,
      errors,
      first_token_p95_ms: firstTokenP95Ms,
      settlement_lag_ms: settlementLagMs,
    })),
    jobs: jobs.map(({ name, outcome, message, host, startedAtMs, endedAtMs, nextAtMs }) => ({
      name,
      outcome,
      message,
      host,
      started_at: seconds(startedAtMs),
      ended_at: seconds(endedAtMs),
      next_at: seconds(nextAtMs),
    })),
    books: books && {
      at: seconds(books.atMs),
      took_ms: books.tookMs,
      differences: books.differences,
      details: reader.isRoot ? [...books.details] : [],
    },
    private_hosts: reader.isRoot ? presentHosts(reader) : [],
    administrator_daily_quota_limit: reader.isRoot ? reader.dailyQuotaLimit : null,
  };
}

/** Lists whose callers reach every private host while the gateway listens on a loopback address. */
const LISTS_AT_HOME: ReadonlySet<HostListName> = new Set(
  Object.values(OUTBOUND_CALLERS).flatMap(({ list, isAtHomeOnLoopback }) =>
    isAtHomeOnLoopback ? [list] : [],
  ),
);

function presentHosts({ hostLists: lists, isLoopback }: StatusReader): OperationsStatusView['private_hosts'] {
  return (['channels', 'identity', 'services', 'users'] as const).map((callers) => ({
    callers,
    variable: HOST_LIST_VARIABLES[callers],
    hosts: [...lists[callers].entries],
    every_port: lists[callers].opensEveryPort,
    reaches_all: isLoopback && LISTS_AT_HOME.has(callers),
  }));
}

function presentInstance(
  instance: FleetInstance,
  reader: StatusReader,
): OperationsStatusView['instances'][number] {
  const { id, host, state, heardAtMs, workers } = instance;
  return {
    id,
    host,
    state,
    heard_at: seconds(heardAtMs),
    workers: workers.map((worker) => presentWorker(worker, reader.isRoot)),
  };
}

function presentWorker({ report, state, heardAtMs }: FleetWorker, isRoot: boolean): WorkerView {
  const { database, store, money, memory } = report;
  return {
    worker: report.worker,
    boot_id: report.bootId,
    pid: report.pid,
    state,
    ready: report.isReady && state === 'up',
    version: report.version,
    revision: report.revision.number,
    address: isRoot ? report.address : null,
    started_at: seconds(report.startedAtMs),
    heard_at: seconds(heardAtMs),
    calls: report.callsUnderWay,
    streams: report.streamsUnderWay,
    event_loop_delay_ms: report.eventLoopDelayMs,
    resident_bytes: memory.residentBytes,
    heap_bytes: memory.heapBytes,
    spool_records: money.spoolRecords,
    spool_oldest_seconds: money.spoolOldestSeconds,
    settlement_lag_ms: money.settlementLagMs,
    holds: money.holds,
    database: {
      up: database.isUp,
      latency_ms: database.latencyMs,
      clock_offset_ms: database.clockOffsetMs,
      connections_used: database.connectionsUsed,
      connections_waiting: database.connectionsWaiting,
    },
    store: { kind: store.kind, up: store.isUp, latency_ms: store.latencyMs },
    degraded: report.degraded.map(({ mode }) => mode),
  };
}

function totalsOf(
  workers: readonly FleetWorker[],
): Omit<OperationsStatusView['totals'], 'reserved_quota' | 'reservation_oldest_seconds'> {
  const all = (pick: (worker: FleetWorker['report']) => number | null): number[] =>
    workers.map(({ report }) => pick(report) ?? 0);
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  return {
    workers: workers.length,
    calls: sum(all(({ callsUnderWay }) => callsUnderWay)),
    streams: sum(all(({ streamsUnderWay }) => streamsUnderWay)),
    spool_records: sum(all(({ money }) => money.spoolRecords)),
    spool_oldest_seconds: Math.max(0, ...all(({ money }) => money.spoolOldestSeconds)),
    settlement_lag_ms: Math.max(0, ...all(({ money }) => money.settlementLagMs)),
    holds: sum(all(({ money }) => money.holds)),
  };
}

function modesOf(workers: readonly FleetWorker[], language: Language): OperationsStatusView['modes'] {
  const seen = workers.flatMap(({ report }) => report.degraded);
  return [...Map.groupBy(seen, ({ mode }) => mode)].map(([mode, each]) => {
    const [first] = each.toSorted((left, right) => left.sinceMs - right.sinceMs);
    return {
      mode,
      meaning: modeMeaning(mode, language) ?? mode,
      cause: causeText(first?.cause ?? '', language),
      since: seconds(first?.sinceMs ?? 0),
      workers: each.length,
    };
  });
}

function breakersOf(
  workers: readonly FleetWorker[],
  stored: Observation['stored'],
  language: Language,
): OperationsStatusView['breakers'] {
  const stores = workers.flatMap(({ report }) =>
    report.breakers.map(({ name, sinceMs }) => ({
      kind: 'store' as const,
      name,
      channelId: 0,
      model: '',
      sinceMs,
      untilMs: null,
    })),
  );
  const channels = workers.flatMap(({ report }) =>
    report.restingChannels.map(({ channelId, model, sinceMs, untilMs }) => ({
      kind: 'channel' as const,
      name: stored?.channelNames.get(channelId) ?? '',
      channelId,
      model,
      sinceMs,
      untilMs,
    })),
  );
  const groups = Map.groupBy(
    [...stores, ...channels],
    ({ name, channelId, model }) => `${channelId} ${model} ${name}`,
  );
  return [...groups.values()].flatMap((each) => {
    const [first] = each.toSorted((left, right) => left.sinceMs - right.sinceMs);
    if (first === undefined) return [];
    const { kind, name, channelId, model, sinceMs } = first;
    const untils = each.flatMap(({ untilMs }) => (untilMs === null ? [] : [untilMs]));
    return [
      {
        kind,
        name,
        channel_id: channelId,
        model,
        since: seconds(sinceMs),
        retry_at: untils.length === 0 ? null : seconds(Math.min(...untils)),
        failure: failureText(failureFacts(stored?.channelFailures.get(channelId)), language),
        workers: each.length,
      },
    ];
  });
}
