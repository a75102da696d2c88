import { z } from 'zod';
import type { UptimeMonitor } from '../dto/uptime.dto.js';

/**
 * The two documents of a status page, as Uptime Kuma's own pages read them (github.com/louislam/uptime-kuma/wiki/Internal-API, read
 * 2026-11-25). Versions differ in what else is in them, so only what is used is asked for.
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
  /** By `ID_24`, of later versions by the id alone. */
  uptimeList: z.record(z.string(), z.unknown()),
});
const beatSchema = z.object({ status: z.int().min(0).max(3) });

const MAX_MONITORS = 100;
const MAX_CHARACTERS = 100;
const PENDING = 2;

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

const shareOf = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : 0;
