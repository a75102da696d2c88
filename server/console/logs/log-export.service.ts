import { Injectable, Logger } from '@nestjs/common';
import type { ZonedTime } from '../../common/time-zone.js';
import type { Actor } from '../../base/access/current-actor.js';
import { RateLimiter } from '../../infra/rate-limit/rate-limiter.js';
import { ChannelNames } from '../../gateway/channels/state/channel-names.js';
import { CSV_START, toCsvLine } from '../../common/csv.js';
import { type ExportedLine, type LogFilter, LogsRepository } from '../../base/logs/logs.repository.js';
import { amountOf } from './present-log.js';

/** Lines read at once: some hundred kilobytes, whatever the length of the log. */
const PAGE = 1_000;
/** An export reads the whole log: seldom enough that nobody is slowed down. */
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
}

type Column = readonly [
  heading: string,
  cell: (line: ExportedLine, context: CellContext) => string | number | boolean,
];

const OWN_COLUMNS: readonly Column[] = [
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
/** Owners see neither channels nor whose else a line could be. */
const ADMIN_COLUMNS: readonly Column[] = [
  ...OWN_COLUMNS,
  ['id', ({ id }) => id],
  ['user_id', ({ userId }) => userId],
  ['channel_id', ({ channelId }) => channelId],
  ['channel_name', ({ channelId }, { channelNames }) => channelNames.get(channelId) ?? ''],
];

/** The usage log as a CSV file, as long as it is: read in pages by key, each only when the reader took the one before. */
@Injectable()
export class LogExportService {
  private readonly logger = new Logger('LogExport');

  constructor(
    private readonly logs: LogsRepository,
    private readonly channelNames: ChannelNames,
    private readonly throttle: RateLimiter,
  ) {}

  /** Fails: too_many_requests. */
  async admit(actor: Actor): Promise<void> {
    await this.throttle.admit(`log-export:${actor.id}`, RATE);
  }

  /**
   * The file piece by piece, newest line first.
   * @param filter  with a user id it is that account's own view: no channel, no row id
   * @param time  whose times the lines have
   * Fails: with the database's error, in the middle of the file; it is said in the server's log, the reader sees a file that breaks off.
   */
  async *write(filter: LogFilter, time: ZonedTime): AsyncGenerator<string, void> {
    try {
      yield* this.pages(filter, time);
    } catch (error) {
      this.logger.warn(`an export of the log broke off: ${String(error)}`);
      throw error;
    }
  }

  private async *pages(filter: LogFilter, time: ZonedTime): AsyncGenerator<string, void> {
    const isOwn = filter.userId !== undefined;
    const columns = isOwn ? OWN_COLUMNS : ADMIN_COLUMNS;
    yield CSV_START + toCsvLine(columns.map(([heading]) => heading));
    let last: ExportedLine | undefined;
    for (;;) {
      const lines = await this.logs.exportPage(filter, last, PAGE);
      last = lines.at(-1);
      if (last === undefined) return;
      const channelNames = isOwn
        ? new Map<number, string>()
        : await this.channelNames.of(lines.map(({ channelId }) => channelId));
      const context = { time, channelNames };
      yield lines.map((line) => toCsvLine(columns.map(([, cell]) => cell(line, context)))).join('');
      if (lines.length < PAGE) return;
    }
  }
}
