import { z } from 'zod';
import { JOB_OUTCOMES } from '../../../infra/schedule/job.entity.js';

const seconds = (what: string) => z.int().meta({ description: `${what}; seconds since 1970, 0 = never` });

const runSchema = {
  name: z.string(),
  title: z.string().meta({ description: 'in the language of the request, as the description' }),
  description: z.string(),
  outcome: z.enum(JOB_OUTCOMES).meta({ description: 'of the last run; empty = it never ran' }),
  message: z.string().meta({ description: 'why it failed, or what it left undone; empty = neither' }),
  started_at: seconds('last start'),
  ended_at: seconds('last end'),
  next_at: seconds('next run'),
};

const scheduledJobSchema = z
  .object({
    ...runSchema,
    period_ms: z
      .number()
      .nullable()
      .meta({ description: 'how often; null = only when somebody asks, or switched off by an option' }),
    last_place: z.string().meta({ description: 'host and port of the instance that ran it last' }),
    holder: z
      .object({
        boot_id: z.string(),
        place: z.string().meta({ description: 'host and port of its instance' }),
        worker: z.int().nullable().meta({ description: 'number within its instance; null = not known' }),
      })
      .nullable()
      .meta({ description: 'worker that has the lease now; null = none' }),
    can_run: z.boolean().meta({ description: 'the worker that answers may run it before its time' }),
  })
  .meta({ id: 'OperationsScheduledJob' });

const workerIntervalSchema = z
  .object({ ...runSchema, period_ms: z.number() })
  .meta({ id: 'OperationsWorkerInterval' });

/** GET /api/operations/jobs */
export const operationsJobsSchema = z
  .object({
    answered_by: z.string().meta({ description: 'boot id of the worker whose intervals these are' }),
    place: z.string().meta({ description: 'host and port of its instance' }),
    worker: z.int().meta({ description: 'its number there' }),
    jobs: z.array(scheduledJobSchema).meta({ description: 'what one worker of all does' }),
    intervals: z.array(workerIntervalSchema).meta({ description: 'what every worker does by itself' }),
  })
  .meta({ id: 'OperationsJobs' });
export type OperationsJobsView = z.infer<typeof operationsJobsSchema>;
export type ScheduledJobView = z.infer<typeof scheduledJobSchema>;
