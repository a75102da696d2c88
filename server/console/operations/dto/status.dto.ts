import { z } from 'zod';
import { RULES } from '../model/finding.js';

const seconds = (what: string) => z.int().meta({ description: `${what}; seconds since 1970, 0 = never` });
const known = (what: string) =>
  z
    .number()
    .nullable()
    .meta({ description: `${what}; null = not known` });

export const severitySchema = z.enum(['notice', 'warning', 'fault']);

const findingSchema = z
  .object({
    rule: z.enum(RULES),
    subject: z.string().meta({ description: 'what it is about within the rule; empty = the installation' }),
    severity: severitySchema,
    title: z.string().meta({ description: 'in the language of the request, as the sentences below' }),
    sentence: z.string(),
    remedy: z.string(),
    since: seconds('when it began'),
  })
  .meta({ id: 'OperationsFinding' });

const stateSchema = z.enum(['up', 'draining', 'gone', 'stopped']);

const workerSchema = z
  .object({
    worker: z.int(),
    boot_id: z.string(),
    pid: z.int(),
    state: stateSchema,
    ready: z.boolean(),
    version: z.string(),
    revision: z.number(),
    address: z.string().nullable().meta({ description: 'host:port; root alone is told' }),
    started_at: seconds('when the process started'),
    heard_at: seconds('when it was heard of last'),
    calls: known('calls under way'),
    streams: known('event streams among them'),
    event_loop_delay_ms: known('latest turn of the event loop within ten seconds'),
    resident_bytes: z.number(),
    heap_bytes: z.number(),
    spool_records: known('charges not booked yet'),
    spool_oldest_seconds: known('age of the oldest of them'),
    settlement_lag_ms: known('how long after its call a charge was booked lately'),
    holds: known('calls that money is set aside for'),
    database: z.object({
      up: z.boolean(),
      latency_ms: known('of a small question'),
      clock_offset_ms: known('its clock less the database’s'),
      connections_used: known('connections in use'),
      connections_waiting: known('callers that wait for one'),
    }),
    store: z.object({
      kind: z.enum(['redis', 'memory']),
      up: z.boolean(),
      latency_ms: known('of a small question'),
    }),
    degraded: z.array(z.string()),
  })
  .meta({ id: 'OperationsWorker' });
export type WorkerView = z.infer<typeof workerSchema>;

const instanceSchema = z
  .object({
    id: z.string(),
    host: z.string(),
    state: stateSchema,
    heard_at: seconds('when any of its workers was heard of last'),
    workers: z.array(workerSchema),
  })
  .meta({ id: 'OperationsInstance' });

const minuteSchema = z
  .object({
    at: seconds('beginning of the minute'),
    calls: z.int(),
    errors: z.int().meta({ description: 'failures that were not the caller’s' }),
    first_token_p95_ms: z.int().nullable(),
    settlement_lag_ms: z.int(),
  })
  .meta({ id: 'OperationsMinute' });

const jobSchema = z
  .object({
    name: z.string(),
    outcome: z.enum(['', 'running', 'done', 'failed', 'lost']),
    message: z.string(),
    host: z.string().meta({ description: 'machine of the worker that ran it last' }),
    started_at: seconds('last start'),
    ended_at: seconds('last end'),
    next_at: seconds('next run'),
  })
  .meta({ id: 'OperationsJob' });

const modeSchema = z
  .object({
    mode: z.string(),
    meaning: z.string(),
    cause: z.string(),
    since: seconds('when it began'),
    workers: z.int().meta({ description: 'workers in this mode' }),
  })
  .meta({ id: 'OperationsMode' });

const breakerSchema = z
  .object({
    kind: z.enum(['store', 'channel']),
    name: z.string(),
    channel_id: z.int().meta({ description: '0 = a store' }),
    model: z.string().meta({ description: 'empty = the whole channel' }),
    since: seconds('when it opened'),
    retry_at: seconds('when a call is let through again, in the past = now').nullable(),
    failure: z
      .string()
      .meta({ description: 'newest failure of the channel, in words; empty = none is known' }),
    workers: z.int(),
  })
  .meta({ id: 'OperationsBreaker' });

const booksSchema = z
  .object({
    at: seconds('when the books were looked at'),
    took_ms: z.number(),
    differences: z.int(),
    details: z.array(z.string()).meta({ description: 'the first differences; root alone is told' }),
  })
  .meta({ id: 'OperationsBooks' });

const privateHostsSchema = z
  .object({
    callers: z.enum(['channels', 'identity', 'services', 'users']),
    variable: z.string().meta({ description: 'environment variable that opens hosts to these callers' }),
    hosts: z.array(z.string()).meta({ description: 'as they are written there; empty = none' }),
    every_port: z
      .boolean()
      .meta({ description: 'hosts without a port are open at every port that is called at all' }),
    reaches_all: z.boolean().meta({
      description: 'every private host is open besides: the gateway listens on a loopback address',
    }),
  })
  .meta({ id: 'OperationsPrivateHosts' });

/** GET /api/operations/status */
export const operationsStatusSchema = z
  .object({
    checked_at: seconds('when this was put together'),
    answered_by: z.string().meta({ description: 'boot id of the worker that answers' }),
    database_readable: z.boolean().meta({ description: 'false = history, jobs and books are missing' }),
    level: z.enum(['ok', 'notice', 'warning', 'fault']),
    revision: z.number(),
    findings: z.array(findingSchema),
    instances: z.array(instanceSchema),
    totals: z.object({
      workers: z.int(),
      calls: z.number(),
      streams: z.number(),
      spool_records: z.number(),
      spool_oldest_seconds: z.number(),
      settlement_lag_ms: z.number(),
      holds: z.number(),
      reserved_quota: z
        .number()
        .nullable()
        .meta({ description: 'set aside in the database; null = not known' }),
      reservation_oldest_seconds: z.number().nullable(),
    }),
    modes: z.array(modeSchema),
    breakers: z.array(breakerSchema),
    history: z.array(minuteSchema),
    jobs: z.array(jobSchema),
    books: booksSchema.nullable(),
    private_hosts: z.array(privateHostsSchema).meta({
      description: 'private hosts open to outbound calls of the worker that answers; root alone is told',
    }),
    administrator_daily_quota_limit: z.int().nullable().meta({
      description: 'AdministratorDailyQuotaLimit, 0 = no limit; null for administrators below root',
    }),
  })
  .meta({ id: 'OperationsStatus' });
export type OperationsStatusView = z.infer<typeof operationsStatusSchema>;
