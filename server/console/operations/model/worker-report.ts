import { z } from 'zod';
import { parseJson } from '../../../common/parse-json.js';

/** Minutes a report carries, the current one included: enough for the leader to find a finished one. */
export const REPORT_MINUTES = 4;

const figure = z.number().nullable().default(null);

/** Activity of one worker in one minute. */
const minuteSchema = z.object({
  /** Minutes since 1970. */
  minute: z.int(),
  calls: z.number(),
  /** Failures that were not the caller's. */
  errors: z.number(),
  /** Upper bound in seconds (`+Inf` = above all) → calls whose first token came within it, and not within the one below. */
  firstTokens: z.record(z.string(), z.number()).default({}),
  /** Longest wait of a charge for its booking that was seen, milliseconds. */
  settlementLagMs: z.number().default(0),
  /** Quota that was used and could not be charged. */
  writeoffQuota: z.number().default(0),
  /** Calls that were charged more than was set aside for them, and how much more. */
  overrunCalls: z.number().default(0),
  overrunQuota: z.number().default(0),
});
export type ReportedMinute = z.infer<typeof minuteSchema>;

/**
 * State of one worker, as it publishes it to the others and the database every few seconds. Workers of the version before and after
 * read it too: unknown fields are ignored, missing ones have defaults.
 */
const workerReportSchema = z.object({
  bootId: z.string(),
  /** The instance: one machine and data folder, the same after a restart. */
  instance: z.string(),
  host: z.string(),
  worker: z.int(),
  pid: z.int(),
  version: z.string(),
  /** host:port it listens on. */
  address: z.string().default(''),
  startedAtMs: z.number(),
  /** Its wall clock when it wrote this. */
  atMs: z.number(),
  /** draining: finishes what it has; stopped: its last word. */
  state: z.enum(['running', 'draining', 'stopped']),
  isReady: z.boolean().default(true),
  /** Numbered revision of options, prices and channels it works with, and since when. */
  revision: z.object({ number: z.number(), sinceMs: z.number() }),
  callsUnderWay: figure,
  streamsUnderWay: figure,
  money: z.object({
    /** Charges on the spool that are not booked yet. */
    spoolRecords: figure,
    spoolOldestSeconds: figure,
    settlementLagMs: figure,
    /** Calls that were begun on the spool and not ended there. */
    holds: figure,
  }),
  eventLoopDelayMs: figure,
  memory: z.object({ residentBytes: z.number(), heapBytes: z.number() }),
  database: z.object({
    isUp: z.boolean(),
    latencyMs: figure,
    /** Our clock less the database's. */
    clockOffsetMs: figure,
    connectionsUsed: figure,
    connectionsWaiting: figure,
  }),
  store: z.object({ kind: z.enum(['redis', 'memory']), isUp: z.boolean(), latencyMs: figure }),
  breakers: z.array(z.object({ name: z.string(), sinceMs: z.number() })).default([]),
  /** Channels left alone for a while: altogether (empty model) or for one model. */
  restingChannels: z
    .array(
      z.object({
        channelId: z.int(),
        model: z.string(),
        sinceMs: z.number(),
        /** When a call is let through again; null = an earlier version does not report it. */
        untilMs: figure,
        /** Places of the keys that rest; empty = the channel has one key. */
        keys: z.array(z.int()).default([]),
      }),
    )
    .default([]),
  /** Channels whose reports were above what a request allows, of the last hour. */
  boundedReports: z
    .array(
      z.object({
        channelId: z.int(),
        /** Calls whose report was charged up to its bound, and all calls of the channel. */
        bounded: z.number(),
        calls: z.number(),
        /** Beginning of the minute of the first of them. */
        sinceMs: z.number(),
      }),
    )
    .default([]),
  degraded: z.array(z.object({ mode: z.string(), sinceMs: z.number(), cause: z.string() })).default([]),
  minutes: z.array(minuteSchema).default([]),
});
export type WorkerReport = z.infer<typeof workerReportSchema>;

export type BoundedReports = WorkerReport['boundedReports'][number];

/** A report, and when it was last received, by the clock of the worker that reads it. */
export interface ReceivedReport {
  readonly report: WorkerReport;
  readonly heardAtMs: number;
}

/** Fails: never; what is not a report is null. */
export const readWorkerReport = (text: string): WorkerReport | null =>
  workerReportSchema.safeParse(parseJson(text)).data ?? null;
