import { fromOne } from '../../common/query.js';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { MAX_OFFSET } from '../../common/page.js';
import { SecretBox } from '../../infra/crypto/secret-box.js';
import type { LogLineView, TokenLogQuery } from './dto/log.dto.js';
import type { LogEntity } from '../../base/logs/log.entity.js';
import { toLogFilter } from './log-filter.js';
import { type LogFilter, LogsRepository } from '../../base/logs/logs.repository.js';
import { presentOwnLog } from './present-log.js';

const PURPOSE = 'log-cursor';

export interface TokenLogPage {
  readonly lines: readonly LogLineView[];
  /** Number of all lines the filters leave, within the limits of lists. */
  readonly total: number;
  /** Cursor of the next page; null = this was the last one. */
  readonly nextCursor: string | null;
}

/** Start of a page: after this line, which was so many from the newest. */
interface Place {
  readonly afterId: number;
  readonly position: number;
}

/** The log of one token, page by page, as its owner sees it. */
@Injectable()
export class TokenLogService {
  constructor(
    private readonly logs: LogsRepository,
    private readonly secrets: SecretBox,
  ) {}

  /**
   * Pages by number, or from a cursor: pages by cursor neither repeat nor leave out a line while calls go on, and reach the end of
   * the log. Fails: page_out_of_reach, malformed_input for a cursor that is none of this token's.
   */
  async page(tokenId: number, query: TokenLogQuery): Promise<TokenLogPage> {
    const filter: LogFilter = {
      ...toLogFilter({ ...query, kind: '', token_name: '', group: '', request_id: '' }),
      tokenId,
    };
    const place = query.cursor === '' ? undefined : this.openCursor(tokenId, query.cursor);
    // One more than is shown reveals whether there is another page.
    const limit = query.page_size + 1;
    const offset = place?.position ?? (fromOne(query) - 1) * query.page_size;
    if (place === undefined && offset >= MAX_OFFSET)
      throw new DomainError('page_out_of_reach', { max: MAX_OFFSET });
    const [rows, total] = await Promise.all([
      place === undefined
        ? this.logs.list(filter, offset, limit)
        : this.logs.listAfter(filter, place.afterId, limit),
      this.logs.count(filter),
    ]);
    const shown = rows.slice(0, query.page_size);
    return {
      lines: shown.map((line, index) => presentOwnLog(line, offset + index + 1)),
      total,
      nextCursor: rows.length > shown.length ? this.cursorAfter(tokenId, shown, offset) : null,
    };
  }

  /** Row numbers would reveal the load of the instance, so they are sealed, and for their token only. */
  private cursorAfter(tokenId: number, shown: readonly LogEntity[], offset: number): string {
    const place: Place = { afterId: shown.at(-1)?.id ?? 0, position: offset + shown.length };
    return this.secrets.seal(PURPOSE, placeOf(tokenId), `${place.afterId} ${place.position}`);
  }

  private openCursor(tokenId: number, cursor: string): Place {
    try {
      const [afterId = 0, position = 0] = this.secrets
        .open(PURPOSE, placeOf(tokenId), cursor)
        .split(' ')
        .map(Number);
      return { afterId, position };
    } catch {
      throw new DomainError('malformed_input', { field: 'cursor', problem: ' (must be one this log gave)' }); // another token's, or a forged one
    }
  }
}

const placeOf = (tokenId: number): string => `token ${tokenId}`;
