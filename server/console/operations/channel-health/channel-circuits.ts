import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock.js';
import { groupFleet, aliveWorkers } from '../model/fleet.js';
import type { WorkerReport } from '../model/worker-report.js';
import { WorkerReports } from '../fleet/worker-reports.js';

/** A channel, or a model of it, that workers leave alone for a while. */
export interface ChannelCircuit {
  readonly channelId: number;
  /** Empty = the whole channel. */
  readonly model: string;
  readonly sinceMs: number;
  /** When the first of the workers lets a call through; null = not known. */
  readonly untilMs: number | null;
  /** Places of the keys that rest, in order; empty = the channel has one key. */
  readonly keys: readonly number[];
  readonly workers: number;
}

/** Open circuits of all workers. */
@Injectable()
export class ChannelCircuits {
  constructor(
    private readonly reports: WorkerReports,
    private readonly clock: Clock,
  ) {}

  /** As the workers reported them within the last seconds. Never fails: a worker that is gone has none. */
  async list(): Promise<readonly ChannelCircuit[]> {
    const reports = await this.reports.list();
    return mergeCircuits(aliveWorkers(groupFleet(reports, this.clock.nowMs())).map(({ report }) => report));
  }
}

/** One entry for each channel and model, whole channels first. */
export function mergeCircuits(
  reports: readonly Pick<WorkerReport, 'restingChannels'>[],
): readonly ChannelCircuit[] {
  const all = reports.flatMap(({ restingChannels }) => restingChannels);
  const groups = [...Map.groupBy(all, ({ channelId, model }) => `${channelId} ${model}`).values()];
  const merged = groups.map((each) => {
    const untils = each.flatMap(({ untilMs }) => (untilMs === null ? [] : [untilMs]));
    return {
      channelId: each[0]?.channelId ?? 0,
      model: each[0]?.model ?? '',
      sinceMs: Math.min(...each.map(({ sinceMs }) => sinceMs)),
      untilMs: untils.length === 0 ? null : Math.min(...untils),
      keys: [...new Set(each.flatMap(({ keys }) => keys))].sort((a, b) => a - b),
      workers: each.length,
    };
  });
  return merged.sort((a, b) => a.channelId - b.channelId || a.model.length - b.model.length);
}
