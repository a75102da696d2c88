import { Injectable, Logger } from '@nestjs/common';
import type { ZonedTime } from '../../common/time-zone.js';
import type { Actor } from '../../base/access/current-actor.js';
import { RateLimiter } from '../../infra/rate-limit/rate-limiter.js';
import { ChannelNames } from '../../gateway/channels/state/channel-names.js';
import { CSV_START, toCsvLine } from '../../common/csv.js';
import { type ExportedLine, type LogFilter, LogsRepository } from '../../base/logs/logs.repository.js';
import { OptionsService } from '../../base/options/options.service.js';
import { type CallSum, ExportSums } from './export-sums.js';
import { amountOf } from './present-log.js';

/** Lines read at once: some hundred kilobytes, whatever the length of the log. */
const PAGE = 1_000;
/** An export reads the whole log: rarely enough not to slow others down. */
const RATE = { limit: 10, windowMs: 600_000 };

const TYPE_NAMES: Readonly<Record<number, string>> = {
  1: 'top-up',
  2: 'consumption',
  3: 'administration',
  4: 'system',
  5: 'error',
};

interface CellContext {
  readonly time: ZonedTime;
  readonly channelNames: ReadonlyMap<number, string>;
  /** Quota of one dollar. */
  readonly quotaPerUnit: number;
}

export interface ExportWish {
  readonly filter: LogFilter;
  /** Zone of the times of the lines. */
  readonly time: ZonedTime;
  /** After the lines, sums by account and model and the sum of all. */
  readonly withSums: boolean;
}

type Column = readonly [
  heading: string,
  cell: (line: ExportedLine, context: CellContext) => string | number | boolean,
];

const LINE_COLUMNS: readonly Column[] = [
  ['time', ({ createdAt }, { time }) => time.format(createdAt)],
  ['type', ({ type }) => TYPE_NAMES[type] ?? String(type)],
  ['username', ({ username }) => username],
  ['token', ({ tokenName }) => tokenName],
  ['group', ({ group }) => group],
  ['model', ({ modelName }) => modelName],
  ['stream', ({ isStream }) => isStream],
  ['use_time_seconds', ({ useTime }) => useTime],
  ['prompt_tokens', ({ promptTokens }) => promptTokens],
  ['completion_tokens', ({ completionTokens }) => completionTokens],
  ['quota', (line) => amountOf(line)],
  // A colon stands only in numbers that are not a request's.
  ['request_id', ({ requestId }) => (requestId?.includes(':') === true ? '' : (requestId ?? ''))],
  ['content', ({ content }) => content],
];
/** Last, so that columns of earlier versions keep their places. */
const AMOUNT: Column = ['amount_usd', (line, { quotaPerUnit }) => dollars(amountOf(line), quotaPerUnit)];
const TAGGED: readonly Column[] = [
  ['tags', ({ tags }) => tags],
  ['end_user', ({ endUser }) => endUser],
];
const OWN_COLUMNS: readonly Column[] = [...LINE_COLUMNS, ...TAGGED, AMOUNT];

/** Six decimals: a unit of quota at the usual 500,000 a dollar is $0.000002. */
const dollars = (quota: number, quotaPerUnit: number): string => (quota / quotaPerUnit).toFixed(6);

/** A sum in the columns of the lines. */
const SUM_CELLS: Readonly<Record<string, (sum: CallSum, quotaPerUnit: number) => string | number>> = {
  type: () => 'sum',
  username: ({ username }) => username,
  model: ({ model }) => model,
  prompt_tokens: ({ promptTokens }) => promptTokens,
  completion_tokens: ({ completionTokens }) => completionTokens,
  quota: ({ quota }) => quota,
  content: ({ calls }) => `${calls} calls`,
  amount_usd: ({ quota }, quotaPerUnit) => dollars(quota, quotaPerUnit),
};
/** Owners see neither channels nor account columns. */
const ADMIN_COLUMNS: readonly Column[] = [
  ...LINE_COLUMNS,
  ['id', ({ id }) => id],
  ['user_id', ({ userId }) => userId],
  ['channel_id', ({ channelId }) => channelId],
  ['channel_name', ({ channelId }, { channelNames }) => channelNames.get(channelId) ?? ''],
  ...TAGGED,
  AMOUNT,
];

/** The usage log as a CSV file, as long as it is: read in pages by key, each only when the reader took the one before. */
@Injectable()
export class LogExportService {
  private readonly logger = new Logger('LogExport');

  constructor(
    private readonly logs: LogsRepository,
    private readonly channelNames: ChannelNames,
    private readonly throttle: RateLimiter,
    private readonly options: OptionsService,
  ) {}

  /** Fails: too_many_requests. */
  async admit(actor: Actor): Promise<void> {
    await this.throttle.admit(`log-export:${actor.id}`, RATE);
  }

  /**
   * The file piece by piece, newest line first.
   * @param wish  with a user id in its filter it is that account's own view: no channel, no row id
   * Fails: with the database's error, in the middle of the file; it is logged, and the reader sees a file that breaks off.
   */
  async *write(wish: ExportWish): AsyncGenerator<string, void> {
    try {
      yield* this.pages(wish);
    } catch (error) {
      this.logger.warn(`an export of the log broke off: ${String(error)}`);
      throw error;
    }
  }

  private async *pages({ filter, time, withSums }: ExportWish): AsyncGenerator<string, void> {
    const quotaPerUnit = this.options.values().QuotaPerUnit;
    const sums = withSums ? new ExportSums() : undefined;
    const isOwn = filter.userId !== undefined;
    const columns = isOwn ? OWN_COLUMNS : ADMIN_COLUMNS;
    yield CSV_START + toCsvLine(columns.map(([heading]) => heading));
    let last: ExportedLine | undefined;
    for (;;) {
      const lines = await this.logs.exportPage(filter, last, PAGE);
      last = lines.at(-1);
      if (last === undefined) break;
      const channelNames = isOwn
        ? new Map<number, string>()
        : await this.channelNames.of(lines.map(({ channelId }) => channelId));
      const context = { time, channelNames, quotaPerUnit };
      for (const line of lines) sums?.add(line);
      yield lines.map((line) => toCsvLine(columns.map(([, cell]) => cell(line, context)))).join('');
      if (lines.length < PAGE) break;
    }
    for (const sum of sums?.all() ?? [])
      yield toCsvLine(columns.map(([heading]) => SUM_CELLS[heading]?.(sum, quotaPerUnit) ?? ''));
  }
}
