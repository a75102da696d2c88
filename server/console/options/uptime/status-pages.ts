import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { getOrAdd } from '../../../common/get-or-add.js';
import { OutboundClient } from '../../../infra/http-client/outbound-client.js';
import { SharedStore } from '../../../infra/shared-store/shared-store.js';
import { Clock } from '../../../common/clock.js';
import type { UptimePage } from '../../../base/options/console-panels.js';
import { OptionsService } from '../../../base/options/options.service.js';
import { type UptimeGroup, uptimeGroupSchema, type UptimeMonitor } from '../dto/uptime.dto.js';
import { parseJson } from '../../../common/parse-json.js';

/**
 * The two documents of a status page, as Uptime Kuma's own pages read them (github.com/louislam/uptime-kuma/wiki/Internal-API, read
 * 2026-11-25). Versions differ in their other fields, so only the used ones are required.
 */
const pageSchema = z.object({
  publicGroupList: z.array(
    z.object({
      name: z.string(),
      monitorList: z.array(z.object({ id: z.number(), name: z.string() })),
    }),
  ),
});
const beatsSchema = z.object({
  /** By the monitor's id; the newest is the last. A stretch without any is the number 0. */
  heartbeatList: z.record(z.string(), z.array(z.unknown())),
  /** Keys are `ID_24`, in later versions the id alone. */
  uptimeList: z.record(z.string(), z.unknown()),
});
const beatSchema = z.object({ status: z.int().min(0).max(3) });

const MAX_MONITORS = 100;
const MAX_CHARACTERS = 100;
const PENDING = 2;

const shareOf = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : 0;

const LIMITS = { timeoutMs: 5_000, maxBytes: 2 * 1024 * 1024 } as const;
const FRESH_MS = 60_000;
/** Time other instances may show a reading while one reads the page anew. */
const RETENTION_MS = 600_000;

/** Reading of a page, and its time. */
const readingSchema = z.object({ atMs: z.number(), monitors: uptimeGroupSchema.shape.monitors.nullable() });
type Reading = z.infer<typeof readingSchema>;

/** Status pages of the dashboard: read on request, once a minute at most, by one instance for all. */
@Injectable()
export class StatusPages {
  private readonly readings = new Map<string, Reading>();
  private readonly running = new Map<string, Promise<Reading>>();

  constructor(
    private readonly options: OptionsService,
    private readonly outbound: OutboundClient,
    private readonly store: SharedStore,
    private readonly clock: Clock,
  ) {}

  /** Every page the operator lists, in that order; one that cannot be read is marked. */
  async list(): Promise<UptimeGroup[]> {
    const values = this.options.values();
    const pages = values['console_setting.uptime_kuma_enabled']
      ? values['console_setting.uptime_kuma_groups']
      : [];
    const keys = new Set(pages.map(keyOf));
    for (const known of this.readings.keys()) if (!keys.has(known)) this.readings.delete(known);
    return Promise.all(
      pages.map(async (page) => {
        const { monitors } = await this.readingOf(page);
        const { categoryName, description } = page;
        return { categoryName, description, reachable: monitors !== null, monitors: monitors ?? [] };
      }),
    );
  }

  /** Requests during a reading wait for the same one. */
  private readingOf(page: UptimePage): Promise<Reading> {
    const key = keyOf(page);
    const known = this.readings.get(key);
    if (known !== undefined && this.isFresh(known)) return Promise.resolve(known);
    return getOrAdd(this.running, key, () =>
      this.readShared(key, page).finally(() => this.running.delete(key)),
    );
  }

  private async readShared(key: string, page: UptimePage): Promise<Reading> {
    const shared = readingSchema.safeParse(await this.store.cache.get(key).catch(() => undefined)).data;
    if (shared !== undefined && this.isFresh(shared)) return this.keep(key, shared);
    const lease = await this.store.leases.acquire(key, LIMITS.timeoutMs * 2).catch(() => null);
    // Another instance is reading it.
    if (lease === null && shared !== undefined) return shared;
    try {
      const reading = { atMs: this.clock.nowMs(), monitors: await this.fetchMonitors(page) };
      // Away: every instance reads for itself.
      await this.store.cache.set(key, reading, RETENTION_MS).catch(() => undefined);
      return this.keep(key, reading);
    } finally {
      await lease?.release().catch(() => undefined);
    }
  }

  private keep(key: string, reading: Reading): Reading {
    this.readings.set(key, reading);
    return reading;
  }

  private isFresh({ atMs }: Reading): boolean {
    return Math.abs(this.clock.nowMs() - atMs) < FRESH_MS;
  }

  private async fetchMonitors({ url, slug }: UptimePage): Promise<Reading['monitors']> {
    const [page, beats] = await Promise.all([
      this.fetchJson(`${url}/api/status-page/${slug}`),
      this.fetchJson(`${url}/api/status-page/heartbeat/${slug}`),
    ]);
    return readStatusPage(page, beats) ?? null;
  }

  /** Undefined for whatever is not a JSON document. */
  private async fetchJson(url: string): Promise<unknown> {
    const headers = { accept: 'application/json', 'user-agent': 'tollgate' };
    const reply = await this.outbound.fetch(
      'service',
      { method: 'GET', url, headers, body: undefined },
      LIMITS,
    );
    return reply.ok && reply.value.status === 200 ? parseJson(reply.value.body) : undefined;
  }
}

const keyOf = ({ url, slug }: UptimePage): string =>
  `status-page:${createHash('sha256').update(`${url} ${slug}`).digest('hex')}`;

/** Monitors of a page; undefined when the documents are not those of a status page. */
export function readStatusPage(page: unknown, beats: unknown): UptimeMonitor[] | undefined {
  const shown = pageSchema.safeParse(page);
  const told = beatsSchema.safeParse(beats);
  if (!shown.success || !told.success) return undefined;
  const { heartbeatList, uptimeList } = told.data;
  return shown.data.publicGroupList
    .flatMap((group) => group.monitorList.map((monitor) => ({ group: group.name, ...monitor })))
    .slice(0, MAX_MONITORS)
    .map(({ id, name, group }) => ({
      name: name.slice(0, MAX_CHARACTERS),
      group: group.slice(0, MAX_CHARACTERS),
      status: beatSchema.safeParse(heartbeatList[id]?.at(-1)).data?.status ?? PENDING,
      uptime: shareOf(uptimeList[`${id}_24`] ?? uptimeList[id]),
    }));
}
