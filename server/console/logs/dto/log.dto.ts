import { z } from 'zod';
import { MAX_PAGE_SIZE } from '../../../common/page.js';
import { LOG_SORTS, MAX_SORTED } from '../../../base/logs/log-sort.js';
import {
  exactEnd,
  exactMoment,
  exactNumber,
  exactText,
  filterEnd,
  filterMoment,
  filterNumber,
  filterText,
  flag,
  oneBasedPaging,
  pageSize,
  positiveInteger,
  timeZone,
} from '../../../common/query.js';

/** A line of the usage log. */
export const logLineSchema = z
  .object({
    id: z.int().meta({ description: 'row id for administrators; for users the position within the list' }),
    user_id: z.int(),
    created_at: z.int().meta({ description: 'seconds' }),
    type: z.int().meta({ description: '1 top-up, 2 consumption, 3 administration, 4 system, 5 error' }),
    content: z.string(),
    username: z.string(),
    token_name: z.string(),
    model_name: z.string(),
    group: z.string(),
    quota: z.int(),
    prompt_tokens: z.int(),
    completion_tokens: z.int(),
    use_time: z.int().meta({ description: 'whole seconds' }),
    is_stream: z.boolean(),
    channel: z.int().meta({ description: 'channel id; 0 for users' }),
    channel_name: z.string().meta({ description: 'filled for administrators' }),
    token_id: z.int(),
    tags: z.string().meta({ description: 'comma-separated tags of a call' }),
    end_user: z.string().meta({ description: 'end user that a call names; empty = none' }),
    other: z.string().meta({ description: 'JSON object with the details of a call' }),
    request_id: z
      .string()
      .nullable()
      .meta({ description: 'X-Request-Id of the call; what the explanation is asked by' }),
  })
  .meta({ id: 'LogLine' });

export const logPageSchema = z
  .object({ items: z.array(logLineSchema), total: z.int(), page: z.int(), page_size: z.int() })
  .meta({ id: 'LogPage' });

/** `rpm` and `tpm` are of the last minute, whatever the time range. */
export const logStatSchema = z.object({ quota: z.int(), rpm: z.int(), tpm: z.int() }).meta({ id: 'LogStat' });

/** Lists read a filter leniently, as consoles of this API family send it; a file never holds more than its filter allows. */
interface FilterReadings {
  readonly lenient: z.ZodType;
  readonly exact: z.ZodType;
}
type About = Partial<Record<'description', string>>;
const numberFilter = (about: About = {}) => ({
  lenient: filterNumber().meta(about),
  exact: exactNumber().meta(about),
});
const textFilter = (maxLength?: number, about: About = {}) => ({
  lenient: filterText(maxLength).meta(about),
  exact: exactText(maxLength).meta(about),
});
const KIND = { description: 'calls = answered and failed calls alone; every line when absent' };
/** Calls are answered and failed ones: everything but top-ups, administration and system lines. */
const kindFilter = {
  lenient: filterText(64)
    .transform((text) => (text === 'calls' ? text : ''))
    .meta(KIND),
  exact: exactText(64)
    .refine((text) => text === '' || text === 'calls', 'must be "calls"')
    .transform((text) => (text === 'calls' ? text : ''))
    .meta(KIND),
};
const START = { description: 'seconds, inclusive; open when absent' };
const END = { description: 'seconds, inclusive; open when absent or 0' };

const OWN_FILTERS = {
  type: numberFilter({ description: '0 = all' }),
  kind: kindFilter,
  token_name: textFilter(64),
  model_name: textFilter(undefined, { description: 'whole name; % and * stand for any text' }),
  start_timestamp: { lenient: filterMoment().meta(START), exact: exactMoment().meta(START) },
  end_timestamp: { lenient: filterEnd().meta(END), exact: exactEnd().meta(END) },
  group: textFilter(64),
  request_id: textFilter(64, { description: 'X-Request-Id of one call' }),
  tag: textFilter(256, { description: 'whole tag of a call' }),
  end_user: textFilter(256, { description: 'whole name of the end user of a call' }),
} satisfies Record<string, FilterReadings>;
/** Every filter of the log, with both of its readings. */
export const LOG_FILTERS = {
  ...OWN_FILTERS,
  username: textFilter(64),
  user_id: numberFilter({ description: 'lines of one account under every name it had; 0 = all' }),
  channel: numberFilter(),
  failed_attempt: numberFilter({
    description:
      '1 = only calls of which an attempt at a channel failed, answered or not; lines since version 0.2.0',
  }),
} satisfies Record<string, FilterReadings>;

type Filters = Readonly<Record<string, FilterReadings>>;
type Read<Table extends Filters, Reading extends keyof FilterReadings> = {
  [Name in keyof Table]: Table[Name][Reading];
};
const read = <Table extends Filters, Reading extends keyof FilterReadings>(table: Table, reading: Reading) =>
  Object.fromEntries(Object.entries(table).map(([name, filter]) => [name, filter[reading]])) as Read<
    Table,
    Reading
  >;

const selfFilters = read(OWN_FILTERS, 'lenient');
const adminFilters = read(LOG_FILTERS, 'lenient');
const paging = { ...oneBasedPaging(), page_size: pageSize() };
const sort = {
  sort: filterText(64)
    .transform((text) => LOG_SORTS.find((known) => known === text))
    .meta({
      description: `quota or use_time, largest first, among the newest ${MAX_SORTED} lines that match; newest first when absent`,
    }),
};

export const logListQuerySchema = z.object({ ...paging, ...sort, ...adminFilters });
export const selfLogListQuerySchema = z.object({ ...paging, ...sort, ...selfFilters });
export const logStatQuerySchema = z.object(adminFilters);
export const selfLogStatQuerySchema = z.object(selfFilters);
const ofFile = {
  time_zone: timeZone(),
  sums: flag().meta({ description: 'after the lines, sums of answered calls by account and model' }),
};
export const selfLogExportQuerySchema = z.object({ ...read(OWN_FILTERS, 'exact'), ...ofFile });
export const logExportQuerySchema = z.object({ ...read(LOG_FILTERS, 'exact'), ...ofFile });

/** Pages by number, or by the cursor of the page before. */
export const tokenLogQuerySchema = z.object({
  ...oneBasedPaging(),
  page_size: filterNumber()
    .transform((size) => (size === 0 ? MAX_PAGE_SIZE : Math.min(size, MAX_PAGE_SIZE)))
    .meta({ description: '100 when absent, at most 100' }),
  cursor: z
    .string()
    .max(200)
    .default('')
    .meta({ description: '`next_cursor` of the page before; the number of the page then means nothing' }),
  type: selfFilters.type,
  model_name: selfFilters.model_name,
  start_timestamp: selfFilters.start_timestamp,
  end_timestamp: selfFilters.end_timestamp,
});
export type TokenLogQuery = z.infer<typeof tokenLogQuerySchema>;

export const logSearchQuerySchema = z.object({ keyword: filterText() });
export const logDeleteQuerySchema = z.object({
  target_timestamp: positiveInteger({ problem: 'must be a moment in seconds' }),
});

/** A log line is named by its row id (administrators) or by the request id of its call (all users, own calls only). */
export const logReferenceSchema = z
  .string()
  .regex(/^([1-9]\d{0,14}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i);

export type LogLineView = z.infer<typeof logLineSchema>;
export type LogListQuery = z.infer<typeof logListQuerySchema>;
export type SelfLogListQuery = z.infer<typeof selfLogListQuerySchema>;
export type LogStatQuery = z.infer<typeof logStatQuerySchema>;
export type SelfLogStatQuery = z.infer<typeof selfLogStatQuerySchema>;
export type LogExportQuery = z.infer<typeof logExportQuerySchema>;
export type SelfLogExportQuery = z.infer<typeof selfLogExportQuerySchema>;
export type LogStatView = z.infer<typeof logStatSchema>;

/** One bucket of the formula. */
const chargeStepSchema = z.object({
  part: z
    .string()
    .meta({ description: 'kind of token, "call" for a price per call, "tool" for a tool of the vendor' }),
  tool: z.string().optional().meta({ description: 'which tool, as tool_price_setting.prices spells it' }),
  count: z.int(),
  ratio: z.string().meta({
    description:
      "the bucket's own multiplier, exact decimal; of a call its dollars, of a tool those per thousand uses",
  }),
  subtotal: z.string().meta({ description: 'exact decimal, in quota' }),
});

const attemptSchema = z.object({
  channel_id: z.int(),
  channel_name: z.string(),
  started_at_ms: z.int().nullable(),
  ended_at_ms: z.int().nullable(),
  failure: z.string().meta({ description: 'empty = it answered' }),
  upstream_status: z.int().nullable(),
});

/** Course of a call, and the explanation of its charge. */
export const chargeExplanationSchema = z
  .object({
    request_id: z.string(),
    created_at: z.int().meta({ description: 'seconds' }),
    model: z.string(),
    group: z.string(),
    outcome: z.string().meta({ description: 'ok, partial, client_abort, limit, recovered' }),
    evidence: z
      .string()
      .meta({ description: 'where the token counts come from: reported, bounded, counted, estimated, none' }),
    price_revision: z.int().meta({ description: 'revision of the options the prices came from' }),
    is_price_unset: z.boolean().meta({ description: 'the model had no price: the fallback ratio was used' }),
    prompt_tokens: z.int(),
    completion_tokens: z.int(),
    charge: z.object({
      mode: z.enum(['ratio', 'call']),
      steps: z.array(chargeStepSchema),
      base_ratio: z.string(),
      group_ratio: z.string(),
      agreed_for: z.object({ account_group: z.string(), models: z.string().nullable() }).nullable().meta({
        description:
          'whose factor it is, where it replaced that of the group; `models` = the name or pattern it is agreed for, null = all of them',
      }),
      tier: z
        .object({ above: z.int(), input: z.string(), output: z.string() })
        .nullable()
        .meta({ description: 'prices of long calls that applied; part of the ratios of the steps' }),
      service_tier: z.object({ name: z.string(), ratio: z.string() }).nullable().meta({
        description: 'class of service that has a factor of its own; on top of the ratios of the steps',
      }),
      factor: z.object({ name: z.string(), ratio: z.string() }).nullable().meta({
        description: "what size and quality multiply a picture's price with; part of the step's ratio",
      }),
      exact: z.string().meta({ description: 'sum before rounding, exact decimal' }),
      rounding: z.string().meta({ description: 'half-up, minimum, nothing-used, free' }),
      priced: z.int().meta({ description: 'what the formula gives today' }),
      charged: z.int(),
      writeoff: z.int().meta({ description: 'the part the balance did not cover' }),
      correction: z.int().meta({ description: 'a later correction of an estimate; positive = given back' }),
      is_consistent: z.boolean().meta({ description: 'charged + writeoff = priced' }),
      formula: z.string(),
    }),
    limits: z
      .array(
        z.object({
          limit_id: z.int(),
          measure: z.string(),
          period_start: z.int().meta({ description: 'seconds; 0 = ever' }),
          used: z.int().meta({ description: 'in the unit of the measure' }),
        }),
      )
      .meta({ description: 'limits the call counts under, in the periods of its admission' }),
    is_stream: z.boolean(),
    first_byte_ms: z.int().nullable(),
    duration_ms: z.int().nullable(),
    attempts: z.array(attemptSchema).meta({ description: 'tries in order; empty for users' }),
  })
  .meta({ id: 'ChargeExplanation' });

export type ChargeExplanationView = z.infer<typeof chargeExplanationSchema>;
