import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository, type SelectQueryBuilder } from 'typeorm';
import { escapeLike } from '../../common/text.js';
import { MAX_OFFSET } from '../../common/page.js';
import { toShownSum } from '../../common/quota.js';
import { LOG_DATA_SOURCE } from '../../infra/database/database.module.js';
import { LOG_TYPE } from './log.codes.js';
import { type LogSort, MAX_SORTED } from './log-sort.js';
import { dialectOf } from '../../infra/database/dialect-of.js';
import type { TagKind } from '../../relay-core/model/tag-text.js';
import { LogTagEntity } from './log-tag.entity.js';
import { insertLines, insertLineTags, type NewLogLine } from './insert-lines.js';
import { LogEntity } from './log.entity.js';

/** Filters of a list of log lines. Empty texts and zeros do not filter; `userId` always does. */
export interface LogFilter {
  readonly userId?: number;
  readonly tokenId?: number;
  readonly type: number;
  /** True = answered and failed calls alone. */
  readonly onlyCalls?: boolean;
  readonly username: string;
  readonly tokenName: string;
  /** Whole name; `*` and `%` stand for any text. */
  readonly modelName: string;
  readonly channelId: number;
  readonly group: string;
  /** Only calls of which an attempt failed. */
  readonly hadFailedAttempt: boolean;
  /** Id of one call. */
  readonly requestId: string;
  /** Whole tag. */
  readonly tag?: string;
  readonly endUser?: string;
  /** Seconds, inclusive; undefined = open. */
  readonly fromSeconds: number | undefined;
  readonly toSeconds: number | undefined;
}

/** Group, model and channel of a call, and the beginning of its details. */
export interface CallLine {
  readonly group: string;
  readonly model: string;
  readonly channelId: number;
  /** First DETAILS_CHARACTERS of its details. */
  readonly details: string;
}

/** Prices and the path of a call stand before the rest. */
const DETAILS_CHARACTERS = 1_000;

/** Columns of an exported file, which leaves out the details of calls. */
export type ExportedLine = Omit<LogEntity, 'tokenId' | 'hadFailedAttempt'>;

const EXPORTED = [
  ...([
    'id',
    'userId',
    'createdAt',
    'type',
    'content',
    'username',
    'tokenName',
    'modelName',
    'quota',
  ] as const),
  ...([
    'promptTokens',
    'completionTokens',
    'useTime',
    'isStream',
    'channelId',
    'group',
    'requestId',
    'tags',
    'endUser',
  ] as const),
];

const SEARCH_LIMIT = 100;
const DELETE_BATCH = 500;

/** The only reader and writer of `logs` outside the billing module's flusher. */
@Injectable()
export class LogsRepository {
  constructor(@InjectRepository(LogEntity, LOG_DATA_SOURCE) private readonly rows: Repository<LogEntity>) {}

  /** Newest first. */
  async list(filter: LogFilter, offset: number, limit: number): Promise<LogEntity[]> {
    const query = narrow(this.query(), filter);
    // The index of failed attempts is by time, and few of the lines of a period may be in it.
    if (filter.hadFailedAttempt) query.orderBy('log.createdAt', 'DESC');
    return query.addOrderBy('log.id', 'DESC').offset(offset).limit(limit).getMany();
  }

  /**
   * Largest first, newest first among equals: of the newest `MAX_SORTED` matching lines.
   * @param offset  lines before the first that is returned
   */
  async listSorted(filter: LogFilter, sort: LogSort, offset: number, limit: number): Promise<LogEntity[]> {
    const newest = narrow(this.query(), filter)
      .select('log.id', 'id')
      .addSelect(sort === 'quota' ? 'log.quota' : 'log.useTime', 'sorted_by');
    // The indexes have lines by id within one account, and by time among all.
    if (filter.userId === undefined) newest.orderBy('log.createdAt', 'DESC');
    newest.addOrderBy('log.id', 'DESC').limit(MAX_SORTED);
    const column = (name: string): string => this.rows.manager.connection.driver.escape(name);
    const rows = await this.rows.manager
      .createQueryBuilder()
      .select(column('id'), 'id')
      .from(`(${newest.getQuery()})`, 'newest')
      .setParameters(newest.getParameters())
      .orderBy(column('sorted_by'), 'DESC')
      .addOrderBy(column('id'), 'DESC')
      .offset(offset)
      .limit(limit)
      .getRawMany<{ id: string | number }>();
    const ids = rows.map(({ id }) => Number(id));
    const found = await this.rows.findBy({ id: In(ids) });
    const places = new Map(ids.map((id, place) => [id, place]));
    return found.sort((left, right) => (places.get(left.id) ?? 0) - (places.get(right.id) ?? 0));
  }

  /**
   * The next lines of a file, newest first: by id within one account, by time among all, as there are indexes for.
   * @param after  the last line of the page before
   */
  async exportPage(
    filter: LogFilter,
    after: ExportedLine | undefined,
    limit: number,
  ): Promise<ExportedLine[]> {
    const query = narrow(this.query(), filter).select([]);
    for (const name of EXPORTED) query.addSelect(`log.${name}`, name);
    // Calls have the longest details, and a file shows none of them.
    query.addSelect(`CASE WHEN log.type IN (:...calls) THEN '' ELSE log.other END`, 'other');
    query.setParameter('calls', [LOG_TYPE.consumption, LOG_TYPE.error]);
    const isByTime = filter.userId === undefined;
    if (after !== undefined && isByTime) {
      query
        .andWhere('log.createdAt <= :afterTime', { afterTime: after.createdAt })
        .andWhere('(log.createdAt < :afterTime OR log.id < :afterId)', { afterId: after.id });
    } else if (after !== undefined) query.andWhere('log.id < :afterId', { afterId: after.id });
    if (isByTime) query.orderBy('log.createdAt', 'DESC').addOrderBy('log.id', 'DESC');
    else query.orderBy('log.id', 'DESC');
    // Entities cost several times what the rows cost, and a file has a million of them.
    const rows = await query.limit(limit).getRawMany<ExportedRow>();
    return rows.map(toExportedLine);
  }

  /** Counted up to the furthest row a list reaches, so that a count never walks a whole year. */
  async count(filter: LogFilter): Promise<number> {
    const rows = narrow(this.query(), filter).select('log.id', 'id').limit(MAX_OFFSET);
    const counted = await this.rows.manager
      .createQueryBuilder()
      .select('COUNT(*)', 'count')
      .from(`(${rows.getQuery()})`, 'capped')
      .setParameters(rows.getParameters())
      .getRawOne<{ count: string | number }>();
    return Number(counted?.count ?? 0);
  }

  /** Sum of the charges of all matching calls; the filter's type does not matter. */
  async sumQuota(filter: LogFilter): Promise<number> {
    const row = await narrow(this.query(), { ...filter, type: LOG_TYPE.consumption })
      .select('COALESCE(SUM(log.quota), 0)', 'quota')
      .getRawOne<{ quota: string | number }>();
    return toShownSum(row?.quota);
  }

  /** Calls and tokens since a moment, by everything in the filter but its time range. */
  async sumRecent(filter: LogFilter, sinceSeconds: number): Promise<{ calls: number; tokens: number }> {
    const recent = { ...filter, type: LOG_TYPE.consumption, fromSeconds: sinceSeconds, toSeconds: undefined };
    const row = await narrow(this.query(), recent)
      .select('COUNT(*)', 'calls')
      .addSelect('COALESCE(SUM(log.promptTokens + log.completionTokens), 0)', 'tokens')
      .getRawOne<{ calls: string | number; tokens: string | number }>();
    return { calls: Number(row?.calls ?? 0), tokens: toShownSum(row?.tokens) };
  }

  /** At most 100 lines, newest first: of one type, or whose content starts with a text. */
  async search(by: {
    readonly userId?: number;
    readonly type?: number;
    readonly contentStart?: string;
  }): Promise<LogEntity[]> {
    const query = this.query();
    if (by.userId !== undefined) query.andWhere('log.userId = :userId', { userId: by.userId });
    if (by.type !== undefined) narrowByType(query, by.type);
    if (by.contentStart !== undefined) {
      query.andWhere(`log.content LIKE :start ESCAPE '!'`, { start: `${escapeLike(by.contentStart)}%` });
    }
    return query.orderBy('log.id', 'DESC').limit(SEARCH_LIMIT).getMany();
  }

  /** Newest first, from the line after one. */
  async listAfter(filter: LogFilter, afterId: number, limit: number): Promise<LogEntity[]> {
    const query = narrow(this.query(), filter).andWhere('log.id < :afterId', { afterId });
    return query.orderBy('log.id', 'DESC').limit(limit).getMany();
  }

  /** @param by  with a user id only that account's line */
  async findOne(
    by: { readonly userId?: number } & ({ readonly id: number } | { readonly requestId: string }),
  ): Promise<LogEntity | null> {
    return this.rows.findOneBy(by);
  }

  /** Lines whose request id is there already are left out: a call has one line. */
  async insertMany(lines: readonly NewLogLine[]): Promise<void> {
    if (lines.length === 0) return;
    // Not by the query builder: an overloaded gateway writes a line for each call it refuses, and must not spend itself on that.
    const { sql, parameters } = insertLines(dialectOf(this.rows.manager.connection), lines);
    await this.rows.query(sql, parameters);
    const tags = insertLineTags(dialectOf(this.rows.manager.connection), lines);
    if (tags !== null) await this.rows.query(tags.sql, tags.parameters);
  }

  /**
   * Deletes one portion of the lines of some types older than a moment.
   * @returns how many were deleted; 0 = nothing is left
   */
  async deletePortion(types: readonly number[], beforeSeconds: number): Promise<number> {
    const rows = await this.query()
      .select('log.id', 'id')
      .addSelect(`CASE WHEN log.tags <> '' OR log.endUser <> '' THEN log.requestId END`, 'tagged')
      .where('log.createdAt < :beforeSeconds', { beforeSeconds })
      .andWhere('log.type IN (:...types)', { types })
      .orderBy('log.createdAt', 'ASC')
      .limit(DELETE_BATCH)
      .getRawMany<{ id: string | number; tagged: string | null }>();
    if (rows.length === 0) return 0;
    const ids = rows.map((row) => Number(row.id));
    const tagged = rows.flatMap((row) => (row.tagged === null ? [] : [row.tagged]));
    // First: tags without their line would never be found again.
    if (tagged.length > 0)
      await this.rows.manager.getRepository(LogTagEntity).delete({ requestId: In(tagged) });
    await this.rows.delete({ id: In(ids) });
    return ids.length;
  }

  /** Takes the end users off the lines of an account, in portions. A second time changes nothing. */
  async clearEndUsers(userId: number): Promise<void> {
    const tags = this.rows.manager.getRepository(LogTagEntity);
    for (;;) {
      const named = await tags.find({ where: { userId, kind: 'end_user' }, take: DELETE_BATCH });
      if (named.length === 0) return;
      const requestId = In(named.map((tag) => tag.requestId));
      // First: lines whose rows here are gone would not be found again.
      await this.rows.update({ requestId, userId }, { endUser: '' });
      await tags.delete({ requestId, kind: 'end_user' });
    }
  }

  /**
   * Calls among the newest lines.
   * @param limit  lines that are read, calls or not: the bound of the query
   */
  async newestCalls(sinceSeconds: number, limit: number): Promise<CallLine[]> {
    const rows = await this.query()
      .select('log.type', 'type')
      .addSelect('log.group', 'group')
      .addSelect('log.modelName', 'model')
      .addSelect('log.channelId', 'channel')
      .addSelect(`SUBSTR(log.other, 1, ${DETAILS_CHARACTERS})`, 'details')
      .where('log.createdAt >= :sinceSeconds', { sinceSeconds })
      .orderBy('log.createdAt', 'DESC')
      .addOrderBy('log.id', 'DESC')
      .limit(limit)
      .getRawMany<Record<'type' | 'group' | 'model' | 'channel' | 'details', string | number>>();
    return rows
      .filter(({ type }) => Number(type) === LOG_TYPE.consumption)
      .map(({ group, model, channel, details }) => ({
        group: String(group),
        model: String(model),
        channelId: Number(channel),
        details: String(details),
      }));
  }

  private query(): SelectQueryBuilder<LogEntity> {
    return this.rows.createQueryBuilder('log');
  }
}

type ExportedRow = Record<(typeof EXPORTED)[number] | 'other', unknown>;

function toExportedLine(row: ExportedRow): ExportedLine {
  const { content, username, tokenName, modelName, group, requestId, other, tags, endUser } = row;
  return {
    id: Number(row.id),
    userId: Number(row.userId),
    createdAt: Number(row.createdAt),
    type: Number(row.type),
    content: String(content),
    username: String(username),
    tokenName: String(tokenName),
    modelName: String(modelName),
    group: String(group),
    quota: Number(row.quota),
    promptTokens: Number(row.promptTokens),
    completionTokens: Number(row.completionTokens),
    useTime: Number(row.useTime),
    isStream: Boolean(row.isStream),
    channelId: Number(row.channelId),
    requestId: typeof requestId === 'string' ? requestId : null,
    tags: String(tags),
    endUser: String(endUser),
    other: typeof other === 'string' ? other : '',
  };
}

function narrow(query: SelectQueryBuilder<LogEntity>, filter: LogFilter): SelectQueryBuilder<LogEntity> {
  if (filter.userId !== undefined) query.andWhere('log.userId = :userId', { userId: filter.userId });
  if (filter.tokenId !== undefined) query.andWhere('log.tokenId = :tokenId', { tokenId: filter.tokenId });
  if (filter.type > 0) narrowByType(query, filter.type);
  // Nearly every line is a call: an index of types would be the slowest way to them.
  if (filter.onlyCalls === true)
    query.andWhere('log.type + 0 IN (:...callTypes)', { callTypes: [LOG_TYPE.consumption, LOG_TYPE.error] });
  if (filter.username !== '') query.andWhere('log.username = :username', { username: filter.username });
  if (filter.tokenName !== '') query.andWhere('log.tokenName = :tokenName', { tokenName: filter.tokenName });
  if (filter.channelId > 0) query.andWhere('log.channelId = :channelId', { channelId: filter.channelId });
  // A number in the statement: a parameter would hide from SQLite and PostgreSQL that the partial index fits.
  if (filter.hadFailedAttempt) query.andWhere('log.hadFailedAttempt = 1');
  if (filter.group !== '') query.andWhere('log.group = :group', { group: filter.group });
  if (filter.requestId !== '') query.andWhere('log.requestId = :requestId', { requestId: filter.requestId });
  const { tag = '', endUser = '' } = filter;
  if (tag !== '') narrowByTag(query, 'tag', tag, filter);
  if (endUser !== '') narrowByTag(query, 'end_user', endUser, filter);
  const { fromSeconds: from, toSeconds: to } = filter;
  if (from !== undefined) query.andWhere('log.createdAt >= :from', { from });
  if (to !== undefined) query.andWhere('log.createdAt <= :to', { to });
  return narrowByModel(query, filter.modelName);
}

/** The owner and the span are repeated: the index of tags has them. */
function narrowByTag(
  query: SelectQueryBuilder<LogEntity>,
  kind: TagKind,
  value: string,
  { userId, fromSeconds, toSeconds }: LogFilter,
): void {
  const tagged = query
    .subQuery()
    .select(`${kind}.requestId`)
    .from(LogTagEntity, kind)
    .where(`${kind}.kind = '${kind}'`)
    .andWhere(`${kind}.value = :${kind}`);
  if (userId !== undefined) tagged.andWhere(`${kind}.userId = :userId`);
  if (fromSeconds !== undefined) tagged.andWhere(`${kind}.createdAt >= :from`);
  if (toSeconds !== undefined) tagged.andWhere(`${kind}.createdAt <= :to`);
  query.andWhere(`log.requestId IN ${tagged.getQuery()}`, { [kind]: value });
}

/** Lines other than calls are few and have an index of their own, which SQLite and PostgreSQL use when its condition is repeated. */
function narrowByType(query: SelectQueryBuilder<LogEntity>, type: number): void {
  // Nearly every line is a call. The index of types is for the others; MySQL, whose index holds all lines, would walk through it to
  // the requested page, longer and longer.
  if (type === LOG_TYPE.consumption) query.andWhere('log.type + 0 = :type', { type });
  else query.andWhere('log.type = :type', { type }).andWhere('log.type <> 2');
}

/**
 * `%` is a wildcard, as clients of this API family type it, and so is `*`; `_` is a letter like any other. However many
 * stand together are one, and nothing but wildcards does not narrow.
 */
function narrowByModel(
  query: SelectQueryBuilder<LogEntity>,
  modelName: string,
): SelectQueryBuilder<LogEntity> {
  const pattern = modelName.replace(/[*%]+/g, '*');
  if (pattern === '' || pattern === '*') return query;
  if (!pattern.includes('*')) return query.andWhere('log.modelName = :modelName', { modelName: pattern });
  const like = pattern.split('*').map(escapeLike).join('%');
  return query.andWhere(`log.modelName LIKE :modelName ESCAPE '!'`, { modelName: like });
}
