import { fromOne } from '../../common/query.js';
import { Injectable } from '@nestjs/common';
import type { Language } from '../../common/language.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { MAX_OFFSET, type Page } from '../../common/page.js';
import type { Actor } from '../../base/access/current-actor.js';
import { ChannelNames } from '../../gateway/channels/state/channel-names.js';
import type { LogLineView, LogListQuery, SelfLogListQuery } from './dto/log.dto.js';
import type { LogEntity } from '../../base/logs/log.entity.js';
import { toLogFilter } from './log-filter.js';
import { type LogFilter, LogsRepository } from '../../base/logs/logs.repository.js';
import { presentLog, presentOwnLog } from './present-log.js';

/** The usage log as administrators and owners read it. */
@Injectable()
export class LogsService {
  constructor(
    private readonly logs: LogsRepository,
    private readonly channelNames: ChannelNames,
  ) {}

  /** Lines of all accounts, newest first or sorted. Fails: page_out_of_reach. */
  async list(query: LogListQuery, language: Language = 'en'): Promise<Page<LogLineView>> {
    const { lines, total } = await this.page(toLogFilter(query), query);
    return {
      items: await this.presentAll(lines, language),
      total,
      page: fromOne(query),
      page_size: query.page_size,
    };
  }

  /** The actor's own lines, newest first or sorted. Fails: page_out_of_reach. */
  async listOwn(
    actor: Actor,
    query: SelfLogListQuery,
    language: Language = 'en',
  ): Promise<Page<LogLineView>> {
    const filter = toLogFilter(query, actor.id);
    const { lines, total, offset } = await this.page(filter, query);
    return {
      items: presentOwn(lines, language, offset),
      total,
      page: fromOne(query),
      page_size: query.page_size,
    };
  }

  /** At most 100 lines: of the type the keyword names, or whose content starts with it. */
  async search(keyword: string, language: Language = 'en'): Promise<LogLineView[]> {
    if (keyword === '') return [];
    const type = toType(keyword);
    const [ofType, ofContent] = await Promise.all([
      type === null ? [] : this.logs.search({ type }),
      this.logs.search({ contentStart: keyword }),
    ]);
    const unique = new Map([...ofType, ...ofContent].map((line) => [line.id, line]));
    const newest = [...unique.values()].sort((a, b) => b.id - a.id).slice(0, 100);
    return this.presentAll(newest, language);
  }

  /** At most 100 own lines of the type the keyword names. */
  async searchOwn(actor: Actor, keyword: string, language: Language = 'en'): Promise<LogLineView[]> {
    const type = toType(keyword);
    if (type === null) return [];
    return presentOwn(await this.logs.search({ userId: actor.id, type }), language);
  }

  /**
   * A line by its request id, or by its row id for administrators; null when there is none or it belongs to another account:
   * callers cannot distinguish the two. Lists of own lines number their lines from 1, which names none.
   */
  async find(
    reader: { readonly userId: number; readonly seesAll: boolean },
    reference: string,
  ): Promise<LogEntity | null> {
    const owner = reader.seesAll ? {} : { userId: reader.userId };
    if (!/^\d+$/.test(reference)) return this.logs.findOne({ ...owner, requestId: reference.toLowerCase() });
    return reader.seesAll ? this.logs.findOne({ id: Number(reference) }) : null;
  }

  private async page(
    filter: LogFilter,
    query: SelfLogListQuery,
  ): Promise<{ lines: LogEntity[]; total: number; offset: number }> {
    const { page_size: size, sort } = query;
    const offset = (fromOne(query) - 1) * size;
    if (offset >= MAX_OFFSET) throw new DomainError('page_out_of_reach', { max: MAX_OFFSET });
    const [lines, total] = await Promise.all([
      sort === undefined
        ? this.logs.list(filter, offset, size)
        : this.logs.listSorted(filter, sort, offset, size),
      this.logs.count(filter),
    ]);
    return { lines, total, offset };
  }

  private async presentAll(lines: readonly LogEntity[], language: Language): Promise<LogLineView[]> {
    const names = await this.channelNames.of(lines.map((line) => line.channelId));
    return lines.map((line) => presentLog(line, names.get(line.channelId) ?? '', language));
  }
}

/** A log type as digits, or null. */
const toType = (keyword: string): number | null => (/^\d{1,3}$/.test(keyword) ? Number(keyword) : null);

const presentOwn = (lines: readonly LogEntity[], language: Language, offset = 0): LogLineView[] =>
  lines.map((line, index) => presentOwnLog(line, offset + index + 1, language));
