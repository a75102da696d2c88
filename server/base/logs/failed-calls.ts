import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type SelectQueryBuilder } from 'typeorm';
import { isJsonObject, parseJson } from '../../common/parse-json.js';
import { escapeLike } from '../../common/text.js';
import { LOG_DATA_SOURCE } from '../../infra/database/database.module.js';
import { LOG_TYPE } from './log.codes.js';
import { LogEntity } from './log.entity.js';

/** Seconds: `from` is within, `to` is not. Without an account: the calls of all. */
export interface FailedCallsPeriod {
  readonly from: number;
  readonly to: number;
  readonly userId?: number;
}

/** A failed call by its error. */
export interface FailedCallLine {
  readonly requestId: string;
  readonly model: string;
  /** The provider's own error where callers see another one. */
  readonly content: string;
}

/** Newest error lines that a search reads, whatever the length of the log. */
const MAX_SEARCHED = 2_000;
/** Lines whose details have the text anywhere; those without it in an error are left out. */
const MAX_CANDIDATES = 100;

/** Sums of the log lines of failed calls, and a search of their errors. */
@Injectable()
export class FailedCalls {
  constructor(@InjectRepository(LogEntity, LOG_DATA_SOURCE) private readonly rows: Repository<LogEntity>) {}

  async count(period: FailedCallsPeriod): Promise<number> {
    return this.within(period).getCount();
  }

  /** Models of calls that were refused for want of a price, the most wanted first. */
  async unpricedModels(
    period: FailedCallsPeriod,
    limit: number,
  ): Promise<readonly { readonly model: string; readonly calls: number }[]> {
    const rows = await this.within(period)
      .select('log.modelName', 'model')
      .addSelect('COUNT(*)', 'calls')
      .andWhere('log.other LIKE :code', { code: '%"error_code":"price-missing"%' })
      .groupBy('log.modelName')
      .orderBy('COUNT(*)', 'DESC')
      .addOrderBy('log.modelName', 'ASC')
      .limit(limit)
      .getRawMany<{ model: string; calls: string | number }>();
    return rows.map(({ model, calls }) => ({ model, calls: Number(calls) }));
  }

  /** Among the newest 2,000 failed calls, newest first: those whose error contains a text in any case. */
  async containing(part: string, limit: number): Promise<readonly FailedCallLine[]> {
    const rows = await this.rows.manager
      .createQueryBuilder()
      .select('recent.request_id', 'request_id')
      .addSelect('recent.model', 'model')
      .addSelect('recent.content', 'content')
      .addSelect('recent.details', 'details')
      .from(
        (inner) =>
          inner
            .select('log.requestId', 'request_id')
            .addSelect('log.modelName', 'model')
            .addSelect('log.content', 'content')
            .addSelect('log.other', 'details')
            .addSelect('log.createdAt', 'made_at')
            .from(LogEntity, 'log')
            .where('log.type = :type', { type: LOG_TYPE.error })
            // The condition of the index of rare lines.
            .andWhere('log.type <> 2')
            .orderBy('log.createdAt', 'DESC')
            .limit(MAX_SEARCHED),
        'recent',
      )
      .where(`(LOWER(recent.content) LIKE :part ESCAPE '!' OR LOWER(recent.details) LIKE :part ESCAPE '!')`, {
        part: `%${escapeLike(part.toLowerCase())}%`,
      })
      .andWhere('recent.request_id IS NOT NULL')
      .orderBy('recent.made_at', 'DESC')
      .limit(MAX_CANDIDATES)
      .getRawMany<{ request_id: string; model: string; content: string; details: string }>();
    return rows
      .flatMap(({ request_id: requestId, model, content, details }) => {
        const found = [providersError(details), content].find((error) =>
          error?.toLowerCase().includes(part.toLowerCase()),
        );
        return found === undefined ? [] : [{ requestId, model, content: found }];
      })
      .slice(0, limit);
  }

  private within({ from, to, userId }: FailedCallsPeriod): SelectQueryBuilder<LogEntity> {
    const query = this.rows
      .createQueryBuilder('log')
      .where('log.type = :type', { type: LOG_TYPE.error })
      // The condition of the index of rare lines.
      .andWhere('log.type <> 2')
      .andWhere('log.createdAt >= :from', { from })
      .andWhere('log.createdAt < :to', { to });
    return userId === undefined ? query : query.andWhere('log.userId = :userId', { userId });
  }
}

/** Error of the provider in the details of a line; undefined where callers see it as it came. */
function providersError(details: string): string | undefined {
  const members = membersOf(parseJson(details));
  const error = membersOf(members['admin_info'])['upstream_error'];
  return typeof error === 'string' ? error : undefined;
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> => (isJsonObject(value) ? value : {});
