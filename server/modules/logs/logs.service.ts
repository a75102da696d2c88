import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { MAX_OFFSET, type Page } from '../../common/page.js';
import { Clock } from '../../relay-core/ports/clock.js';
import { AuditLog } from '../audit/audit-log.js';
import type { Actor } from '../auth/decorators/current-actor.js';
import { ChannelNames } from '../channels/channel-names.js';
import type { LogLineView, LogListQuery, SelfLogListQuery } from './dto/log.dto.js';
import { LOG_TYPE } from './log.codes.js';
import type { LogEntity } from './log.entity.js';
import { toLogFilter } from './log-filter.js';
import { LogWriter } from './log-writer.js';
import { type LogFilter, LogsRepository } from './logs.repository.js';
import { presentLog, presentOwnLog } from './present-log.js';

/** The usage log as administrators and owners read it. */
@Injectable()
export class LogsService {
  constructor(
    private readonly logs: LogsRepository,
    private readonly channelNames: ChannelNames,
    private readonly writer: LogWriter,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** Everybody's lines, newest first. Fails: page_out_of_reach. */
  async list(query: LogListQuery): Promise<Page<LogLineView>> {
    const { lines, total } = await this.page(toLogFilter(query), query.p, query.page_size);
    return { items: await this.presentAll(lines), total, page: query.p, page_size: query.page_size };
  }

  /** The actor's own lines, newest first. Fails: page_out_of_reach. */
  async listOwn(actor: Actor, query: SelfLogListQuery): Promise<Page<LogLineView>> {
    const filter = toLogFilter(query, actor.id);
    const { lines, total, offset } = await this.page(filter, query.p, query.page_size);
    const items = lines.map((line, index) => presentOwnLog(line, offset + index + 1));
    return { items, total, page: query.p, page_size: query.page_size };
  }

  /** At most 100 lines: of the type the keyword names, or whose content starts with it. */
  async search(keyword: string): Promise<LogLineView[]> {
    if (keyword === '') return [];
    const type = toType(keyword);
    const [ofType, ofContent] = await Promise.all([
      type === null ? [] : this.logs.search({ type }),
      this.logs.search({ contentStart: keyword }),
    ]);
    const unique = new Map([...ofType, ...ofContent].map((line) => [line.id, line]));
    const newest = [...unique.values()].sort((a, b) => b.id - a.id).slice(0, 100);
    return this.presentAll(newest);
  }

  /** At most 100 own lines of the type the keyword names. */
  async searchOwn(actor: Actor, keyword: string): Promise<LogLineView[]> {
    const type = toType(keyword);
    if (type === null) return [];
    const lines = await this.logs.search({ userId: actor.id, type });
    return lines.map((line, index) => presentOwnLog(line, index + 1));
  }

  /** Newest 100 lines of one token, as its owner sees them. */
  async ofToken(tokenId: number): Promise<LogLineView[]> {
    const lines = await this.logs.ofToken(tokenId);
    return lines.map((line, index) => presentOwnLog(line, index + 1));
  }

  /**
   * A line by its request id, or by its row id for administrators; null when there is none or it is somebody else's: both are
   * the same answer (G4).
   */
  async find(
    reader: { readonly userId: number; readonly seesAll: boolean },
    reference: string,
  ): Promise<LogEntity | null> {
    const isRowId = /^\d+$/.test(reference);
    if (isRowId && !reader.seesAll) return null;
    const line = isRowId
      ? await this.logs.findById(Number(reference))
      : await this.logs.findByRequestId(reference.toLowerCase());
    if (line === null) return null;
    return reader.seesAll || line.userId === reader.userId ? line : null;
  }

  /**
   * Deletes calls and failures older than a moment, in portions, until done or nobody waits for the answer any more.
   * Top-ups, administration and system lines stay (LOG-7).
   */
  async deleteBefore(actor: Actor, beforeSeconds: number, isAbandoned: () => boolean): Promise<number> {
    if (beforeSeconds > this.clock.nowMs() / 1000)
      throw new DomainError('invalid_input', { field: 'target_timestamp' });
    let deleted = 0;
    for (;;) {
      const portion = await this.logs.deletePortion([LOG_TYPE.consumption, LOG_TYPE.error], beforeSeconds);
      deleted += portion;
      if (portion === 0 || isAbandoned()) break;
    }
    await this.audit.record(null, {
      actorId: actor.id,
      actorRole: actor.role,
      action: 'log.delete',
      targetType: 'log',
      targetId: '',
      detail: { before: beforeSeconds, count: deleted },
    });
    await this.writer.write({
      type: LOG_TYPE.administration,
      userId: actor.id,
      username: actor.username,
      content: `Deleted ${deleted} log lines older than ${new Date(beforeSeconds * 1000).toISOString()}`,
      event: {
        code: 'log.delete',
        operator: actor.username,
        operator_id: actor.id,
        before: beforeSeconds,
        count: deleted,
      },
      other: { admin_info: { action: 'log.delete', before: beforeSeconds, count: deleted } },
    });
    return deleted;
  }

  private async page(
    filter: LogFilter,
    page: number,
    size: number,
  ): Promise<{ lines: LogEntity[]; total: number; offset: number }> {
    const offset = (page - 1) * size;
    if (offset >= MAX_OFFSET) throw new DomainError('page_out_of_reach', { max: MAX_OFFSET });
    const [lines, total] = await Promise.all([this.logs.list(filter, offset, size), this.logs.count(filter)]);
    return { lines, total, offset };
  }

  private async presentAll(lines: readonly LogEntity[]): Promise<LogLineView[]> {
    const names = await this.channelNames.of(lines.map((line) => line.channelId));
    return lines.map((line) => presentLog(line, names.get(line.channelId) ?? ''));
  }
}

/** A log type as digits, or null. */
const toType = (keyword: string): number | null => (/^\d{1,3}$/.test(keyword) ? Number(keyword) : null);
