import { Injectable } from '@nestjs/common';
import { momentOf } from '../../../common/moment.js';
import { type DegradedMode, DegradedModes } from '../../../infra/observability/degraded-modes.js';
import { StoreProbe } from '../fleet/store-probe.js';
import { WorkerIdentity } from '../fleet/worker-identity.js';
import type { Finding } from '../model/finding.js';
import { placeName } from '../rules/fleet-rules.js';

const NOTIFY_AFTER_MS = 60_000;
const READ_ONLY = 'database-read-only' satisfies DegradedMode;

/** Faults that prevent alerts from being stored: the database is away, or takes no changes. */
@Injectable()
export class DatabaseFaults {
  constructor(
    private readonly probe: StoreProbe,
    private readonly modes: DegradedModes,
    private readonly identity: WorkerIdentity,
  ) {}

  /** Results of the last probe and the last evaluation. */
  findings(): readonly Finding[] {
    return [...this.away(), ...this.readOnly()];
  }

  private away(): Finding[] {
    const sinceMs = this.probe.awaySinceMs('database');
    if (sinceMs === undefined) return [];
    const about = { rule: 'database-away', subject: '', severity: 'fault', facts: {} } as const;
    return [{ ...about, sinceMs: momentOf(sinceMs), notifyAfterMs: NOTIFY_AFTER_MS }];
  }

  private readOnly(): Finding[] {
    const active = this.modes.list().find(({ mode }) => mode === READ_ONLY);
    if (active === undefined) return [];
    const { mode, cause, sinceMs } = active;
    const { host, instance, worker } = this.identity.describe();
    const workers = placeName({ host, id: instance }, worker);
    const facts = { mode, workers, cause: cause.slice(0, 300) };
    const about = { rule: 'degraded-mode', subject: mode, severity: 'fault', facts } as const;
    return [{ ...about, sinceMs: momentOf(sinceMs), notifyAfterMs: NOTIFY_AFTER_MS }];
  }
}
