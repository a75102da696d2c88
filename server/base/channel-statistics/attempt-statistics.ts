import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, LessThan } from 'typeorm';
import { getOrAdd } from '../../common/get-or-add.js';
import { toShownSum } from '../../common/quota.js';
import { dialectOf } from '../../infra/database/dialect-of.js';
import { renderSql } from '../../infra/database/sql-store.js';
import { AttemptTotalEntity } from './attempt-total.entity.js';
import type { ChannelFailure } from './attempt-totals.js';
import { ChannelFailureEntity } from './channel-failure.entity.js';
import { addHistogram, BUCKET_COUNT, emptyHistogram, type Histogram } from './histogram.js';

/** Range of a sum. Without channels or models: all of them. */
export interface StatisticsPeriod {
  /** Seconds; quarters of an hour that begin within it count. */
  readonly from: number;
  readonly to: number;
  readonly channelIds?: readonly number[];
  readonly models?: readonly string[];
}

/** Keys that keep sums apart. */
export interface StatisticsGroups {
  readonly channel?: boolean;
  readonly model?: boolean;
  readonly reason?: boolean;
  /** Length of a bucket of time in seconds, a multiple of 900, counted from 1970 UTC. */
  readonly bucketSeconds?: number;
}

/** Sums of one group. Members that the groups do not name are 0 or empty. */
export interface AttemptSum {
  readonly channelId: number;
  readonly model: string;
  /** Empty = the attempts answered. */
  readonly reason: string;
  readonly status: number;
  /** Start of the bucket, seconds. */
  readonly start: number;
  attempts: number;
  failures: number;
  /** Tokens of streamed answers, and the milliseconds from their first content to their end. */
  outputTokens: number;
  outputMs: number;
  /** Tokens that the provider bills for attempts that failed. */
  billedTokens: number;
  /** Times of streamed answers. */
  readonly firstToken: Histogram;
  /** Times of attempts that answered. */
  readonly duration: Histogram;
}

type Row = Readonly<Record<string, unknown>>;

const names = (histogram: 'first_token' | 'duration'): string[] =>
  Array.from({ length: BUCKET_COUNT }, (_, bucket) => `${histogram}_${bucket}`);
const FIRST_TOKEN = names('first_token');
const DURATION = names('duration');
const SUMMED = [
  'attempts',
  'failures',
  'output_tokens',
  'output_ms',
  'billed_tokens',
  ...FIRST_TOKEN,
  ...DURATION,
];
const SUMS = SUMMED.map((name) => `SUM("t"."${name}") AS "${name}"`).join(', ');
const DELETE_BATCH = 2_000;

/** Reads the sums of attempts: the same figures for the list of channels, their pages, the status page and alerts. */
@Injectable()
export class AttemptStatistics {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Sums of a period, in the order of channel, time and model. Fails: with the database's error. */
  async sums(period: StatisticsPeriod, groups: StatisticsGroups): Promise<AttemptSum[]> {
    const { where, parameters } = conditionOf(period, groups);
    const columns = columnsOf(groups);
    const keys = columns.map(([name]) => `"${name}"`).join(', ');
    const rows = await this.read(
      `SELECT ${columns.map(([name, sql]) => `${sql} AS "${name}"`).join(', ')}, ${SUMS} FROM "attempt_totals" "t"
       WHERE ${where} GROUP BY ${columns.map(([, sql]) => sql).join(', ')} ORDER BY ${keys}`,
      parameters,
    );
    return mergeAnswered(rows, groups);
  }

  /** Since when figures count, seconds; null = there is none yet. */
  async since(): Promise<number | null> {
    const [row] = await this.read(`SELECT MIN("created_at") AS "since" FROM "attempt_totals"`);
    return row?.['since'] === null || row?.['since'] === undefined ? null : Number(row['since']);
  }

  /** The newest failure of each channel that had one, by channel. */
  async newestFailures(channelIds?: readonly number[]): Promise<ReadonlyMap<number, ChannelFailure>> {
    if (channelIds?.length === 0) return new Map();
    const where =
      channelIds === undefined ? '' : ` WHERE "channel_id" IN (${channelIds.map(() => '?').join(', ')})`;
    const rows = await this.read(
      `SELECT "channel_id", "failed_at_ms", "model_name", "reason", "status", "message" FROM "channel_failures"${where}`,
      channelIds ?? [],
    );
    return new Map(rows.map((row) => [Number(row['channel_id']), toFailure(row)]));
  }

  /**
   * Deletes a portion of what is older than a moment.
   * @returns how many rows; 0 = nothing is left. Fails: with the database's error.
   */
  async deletePortion(beforeSeconds: number): Promise<number> {
    const [oldest] = await this.read(
      `SELECT "created_at" AS "start" FROM "attempt_totals" WHERE "created_at" < ? ORDER BY "created_at" LIMIT 1 OFFSET ${DELETE_BATCH}`,
      [beforeSeconds],
    );
    // Whole quarters of an hour: a portion is at least one, so that each run comes to its end.
    const bound = oldest === undefined ? beforeSeconds : Math.min(beforeSeconds, Number(oldest['start']) + 1);
    const deleted = await this.dataSource
      .createQueryBuilder()
      .delete()
      .from(AttemptTotalEntity)
      .where({ createdAt: LessThan(bound) })
      .execute();
    await this.dataSource
      .createQueryBuilder()
      .delete()
      .from(ChannelFailureEntity)
      .where({ failedAtMs: LessThan(beforeSeconds * 1_000) })
      .execute();
    return deleted.affected ?? 0;
  }

  private async read(sql: string, parameters: readonly unknown[] = []): Promise<readonly Row[]> {
    return this.dataSource.query(renderSql(dialectOf(this.dataSource), sql), [...parameters]);
  }
}

/** Full channels got no request: they count where reasons are listed, and in no other sum. */
function conditionOf(
  { from, to, channelIds, models }: StatisticsPeriod,
  { reason }: StatisticsGroups,
): {
  readonly where: string;
  readonly parameters: readonly unknown[];
} {
  const conditions = ['"t"."created_at" >= ?', '"t"."created_at" <= ?'];
  if (reason !== true) conditions.push(`"t"."reason" <> 'channels-full'`);
  if (channelIds !== undefined) conditions.push(listed('"t"."channel_id"', channelIds));
  if (models !== undefined) conditions.push(listed('"t"."model_name"', models));
  return {
    where: conditions.join(' AND '),
    parameters: [from, to, ...(channelIds ?? []), ...(models ?? [])],
  };
}

const listed = (column: string, values: readonly unknown[]): string =>
  values.length === 0 ? '1 = 0' : `${column} IN (${values.map(() => '?').join(', ')})`;

/** Answers and failures are always apart: times are of answers only. */
function columnsOf(groups: StatisticsGroups): readonly (readonly [name: string, sql: string])[] {
  const start = '"t"."created_at"';
  return [
    ...(groups.channel === true ? [['channel_id', '"t"."channel_id"'] as const] : []),
    ...(groups.bucketSeconds === undefined
      ? []
      : [['start', `${start} - (${start} % ${Math.trunc(groups.bucketSeconds)})`] as const]),
    ...(groups.model === true ? [['model_name', '"t"."model_name"'] as const] : []),
    ...(groups.reason === true
      ? [['reason', '"t"."reason"'] as const, ['status', '"t"."status"'] as const]
      : []),
    ['answered', `CASE WHEN "t"."reason" = '' THEN 1 ELSE 0 END`],
  ];
}

function mergeAnswered(rows: readonly Row[], groups: StatisticsGroups): AttemptSum[] {
  const sums = new Map<string, AttemptSum>();
  for (const row of rows) {
    const key = keyOf(row, groups);
    const sum = getOrAdd(sums, JSON.stringify(Object.values(key)), () => ({
      ...key,
      attempts: 0,
      failures: 0,
      outputTokens: 0,
      outputMs: 0,
      billedTokens: 0,
      firstToken: emptyHistogram(),
      duration: emptyHistogram(),
    }));
    sum.attempts += Number(row['attempts']);
    sum.failures += Number(row['failures']);
    sum.outputTokens += toShownSum(row['output_tokens']);
    sum.outputMs += toShownSum(row['output_ms']);
    sum.billedTokens += toShownSum(row['billed_tokens']);
    addHistogram(sum.firstToken, histogramIn(row, FIRST_TOKEN));
    if (Number(row['answered']) === 1) addHistogram(sum.duration, histogramIn(row, DURATION));
  }
  return [...sums.values()];
}

const keyOf = (
  row: Row,
  groups: StatisticsGroups,
): Pick<AttemptSum, 'channelId' | 'model' | 'reason' | 'status' | 'start'> => ({
  channelId: groups.channel === true ? Number(row['channel_id']) : 0,
  model: groups.model === true ? String(row['model_name']) : '',
  reason: groups.reason === true ? String(row['reason']) : '',
  status: groups.reason === true ? Number(row['status']) : 0,
  start: groups.bucketSeconds === undefined ? 0 : Number(row['start']),
});

const histogramIn = (row: Row, columns: readonly string[]): number[] =>
  columns.map((name) => Number(row[name]));

const toFailure = (row: Row): ChannelFailure => ({
  channelId: Number(row['channel_id']),
  failedAtMs: Number(row['failed_at_ms']),
  model: String(row['model_name']),
  reason: String(row['reason']),
  status: Number(row['status']),
  message: String(row['message']),
});
