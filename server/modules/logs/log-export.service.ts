import { Injectable, Logger } from '@nestjs/common';
import type { ZonedTime } from '../../common/time-zone.js';
import type { Actor } from '../access/current-actor.js';
import { RateLimiter } from '../../infra/rate-limit/rate-limiter.js';
import { ChannelNames } from '../channels/state/channel-names.js';
import { CSV_START, toCsvLine } from './csv.js';
import { type ExportedLine, type LogFilter, LogsRepository } from '../usage-log/logs.repository.js';
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

const OWN_COLUMNS = [
  'time',
  'type',
  'username',
  'token',
  'group',
  'model',
  'stream',
  'use_time_seconds',
  'prompt_tokens',
  'completion_tokens',
  'quota',
  'request_id',
  'content',
];
const ADMIN_COLUMNS = ['id', 'user_id', 'channel_id', 'channel_name'];

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
    yield CSV_START + toCsvLine(isOwn ? OWN_COLUMNS : [...OWN_COLUMNS, ...ADMIN_COLUMNS]);
    let last: ExportedLine | undefined;
    for (;;) {
      const lines = await this.logs.exportPage(filter, last, PAGE);
      last = lines.at(-1);
      if (last === undefined) return;
      const names = isOwn
        ? new Map<number, string>()
        : await this.channelNames.of(lines.map((line) => line.channelId));
      yield lines
        .map((line) => [...ownCells(line, time), ...(isOwn ? [] : adminCells(line, names))])
        .map(toCsvLine)
        .join('');
      if (lines.length < PAGE) return;
    }
  }
}

const ownCells = (line: ExportedLine, time: ZonedTime): (string | number | boolean)[] => [
  time.format(line.createdAt),
  TYPE_NAMES[line.type] ?? String(line.type),
  line.username,
  line.tokenName,
  line.group,
  line.modelName,
  line.isStream,
  line.useTime,
  line.promptTokens,
  line.completionTokens,
  amountOf(line),
  line.requestId?.includes(':') === true ? '' : (line.requestId ?? ''),
  line.content,
];

const adminCells = (line: ExportedLine, names: ReadonlyMap<number, string>): (string | number)[] => [
  line.id,
  line.userId,
  line.channelId,
  names.get(line.channelId) ?? '',
];
