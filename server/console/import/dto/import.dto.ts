import { z } from 'zod';
import { OPTION_SECTIONS } from '../../../base/options/option-sections.js';
import { IMPORT_PARTS } from '../import-parts.js';
import { PRODUCTS } from '../source/products.js';
import { RUN_KINDS, RUN_STATUSES } from '../runs/import-run.entity.js';

const seconds = (what: string) => z.int().meta({ description: `${what}; seconds since 1970` });
const ADDRESS_CHARACTERS = 2_000;
const NAME_CHARACTERS = 120;
const MAX_LOG_DAYS = 36_500;

/** POST /api/import/file */
export const importFileStartSchema = z
  .object({
    name: z.string().min(1).max(NAME_CHARACTERS),
    size: z.int().min(1).meta({ description: 'bytes' }),
  })
  .meta({ id: 'ImportFileStart' });
export type ImportFileStart = z.infer<typeof importFileStartSchema>;

/** An uploaded SQLite file; it stays on the instance that received it, and the others refuse to append to it and to read it. */
export const importFileSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    size: z.int().meta({ description: 'bytes when complete' }),
    received: z.int().meta({ description: 'bytes so far' }),
    log_received: z.int().meta({ description: 'bytes of its write-ahead log (FILE-wal); 0 = none' }),
    place: z.string().meta({ description: 'instance that has it' }),
  })
  .meta({ id: 'ImportFile' });
export type ImportFileView = z.infer<typeof importFileSchema>;

/** Part of an upload that a chunk belongs to: the file, or its write-ahead log. */
export const FILE_PARTS = ['database', 'log'] as const;
export type FilePart = (typeof FILE_PARTS)[number];
export const importChunkSchema = z.object({
  part: z.enum(FILE_PARTS).default('database'),
  offset: z.coerce.number().int().min(0).meta({ description: 'bytes that were sent before' }),
});
export type ImportChunk = z.infer<typeof importChunkSchema>;

/** POST /api/import/run */
export const importOrderSchema = z
  .object({
    trial: z.boolean().meta({ description: 'counts and lists, and writes nothing' }),
    file_id: z.string().max(64).default('').meta({ description: 'of an upload; empty = an address' }),
    address: z
      .string()
      .max(ADDRESS_CHARACTERS)
      .default('')
      .meta({ description: 'of MySQL or PostgreSQL, also in the form of SQL_DSN; never stored' }),
    logs_address: z
      .string()
      .max(ADDRESS_CHARACTERS)
      .default('')
      .meta({ description: 'of the database of the log; empty = the same' }),
    parts: z.array(z.enum(IMPORT_PARTS)).nullable().default(null).meta({ description: 'null = all' }),
    sections: z
      .array(z.enum(OPTION_SECTIONS))
      .nullable()
      .default(null)
      .meta({ description: 'sections whose options are taken; null = all, in an empty installation' }),
    conflicts: z.enum(['skip', 'rename']).default('skip'),
    converts: z.boolean().default(false).meta({ description: 'converts amounts to the quota units here' }),
    takes_over_root: z.boolean().default(false),
    log_days: z
      .int()
      .min(0)
      .max(MAX_LOG_DAYS)
      .nullable()
      .default(null)
      .meta({ description: 'days of the log; 0 = all, null = none' }),
  })
  .meta({ id: 'ImportOrder' });
export type ImportOrderInput = z.infer<typeof importOrderSchema>;

const countsSchema = z
  .object({
    kind: z.string(),
    found: z.int(),
    added: z.int(),
    unchanged: z.int(),
    moved: z.int(),
    left_out: z.int(),
  })
  .meta({ id: 'ImportCounts' });

export const importReportSchema = z
  .object({
    import_id: z.int().meta({ description: '0 = a trial of a new source' }),
    product: z.enum(PRODUCTS),
    version: z.string(),
    warnings: z.array(z.string()),
    counts: z.array(countsSchema),
    notes: z.array(z.object({ kind: z.string(), table: z.string(), id: z.string(), sentence: z.string() })),
    further_notes: z.int().meta({ description: 'beyond those that are kept' }),
    numbers: z.array(z.object({ kind: z.string(), from: z.string(), to: z.int() })),
    sums: z.array(
      z.object({
        name: z.string(),
        source: z.string().meta({ description: 'quota units' }),
        here: z.string(),
        explained: z.array(z.object({ why: z.string(), amount: z.string() })),
        is_equal: z.boolean(),
      }),
    ),
    options: z.object({
      taken: z.array(z.string()),
      refused: z.array(z.string()),
      unknown: z.array(z.string()),
      differences: z.array(
        z.object({
          key: z.string(),
          section: z.enum(OPTION_SECTIONS),
          here: z.string().nullable().meta({ description: 'null = a secret' }),
          there: z.string().nullable(),
        }),
      ),
    }),
    log_lines: z.int().nullable(),
  })
  .meta({ id: 'ImportReport' });
export type ImportReportView = z.infer<typeof importReportSchema>;

export const importRunSchema = z
  .object({
    id: z.int(),
    kind: z.enum(RUN_KINDS).meta({ description: 'trial = writes nothing' }),
    status: z.enum(RUN_STATUSES).meta({ description: 'lost = its process ended; start it again' }),
    import_id: z.int(),
    source: z.string().meta({ description: 'file, or server and database' }),
    part: z.string().meta({ description: 'what is being written; empty = it is being read' }),
    done: z.int().meta({ description: 'rows of the part' }),
    found: z.int(),
    part_ms: z.int().meta({ description: 'milliseconds the part has taken so far' }),
    fault: z.string().meta({ description: 'why it failed, with what to do' }),
    stop_asked: z.boolean(),
    started_at: seconds('start'),
    ended_at: seconds('end; 0 = it runs'),
    report: importReportSchema.nullable(),
  })
  .meta({ id: 'ImportRun' });
export type ImportRunView = z.infer<typeof importRunSchema>;

/** GET /api/import */
export const importStateSchema = z
  .object({
    run: importRunSchema.nullable().meta({ description: 'the last one from the console' }),
    busy_place: z
      .string()
      .meta({ description: 'host of a run that was not started from the console; empty = none' }),
    file: importFileSchema.nullable(),
    max_file_bytes: z.int(),
    chunk_bytes: z.int(),
    is_empty: z.boolean().meta({ description: 'rows keep their numbers, and settings are taken' }),
    imports: z.array(
      z.object({
        id: z.int(),
        product: z.string(),
        version: z.string(),
        status: z.enum(['running', 'done', 'failed', 'stopped', 'undone']),
        runs: z.int(),
        created_at: seconds('first run'),
        ended_at: seconds('end of the last run; 0 = none'),
      }),
    ),
  })
  .meta({ id: 'ImportState' });
export type ImportStateView = z.infer<typeof importStateSchema>;
