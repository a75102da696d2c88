import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { MAX_OFFSET } from '../../common/page.js';
import { fromOne } from '../../common/query.js';
import type { Actor } from '../../base/access/current-actor.js';
import { LimitCache } from '../../base/limits/limit-cache.js';
import { isShared } from '../../base/limits/limit-definition.js';
import type { LimitEntity } from '../../base/limits/limit.entity.js';
import { LimitUses, type LimitUseNow } from '../../base/limits/limit-uses.js';
import type { LimitHistory, LimitListQuery, LimitPage, LimitView } from './dto/limit.dto.js';
import { LimitPermissions } from './limit-permissions.js';
import { LimitSubjects } from './limit-subjects.js';
import { LimitsRepository } from './limits.repository.js';
import { isNear } from './limit-nearness.js';
import { presentLimit, presentUse } from './present-limit.js';

const MAX_HISTORY = 60;
const MAX_USES = 50;

/** Reads limits with their use, for administrators. */
@Injectable()
export class LimitReader {
  constructor(
    private readonly limits: LimitsRepository,
    private readonly uses: LimitUses,
    private readonly subjects: LimitSubjects,
    private readonly permissions: LimitPermissions,
    private readonly cache: LimitCache,
  ) {}

  /** A page, newest first. Fails: page_out_of_reach. */
  async list(actor: Actor, query: LimitListQuery): Promise<LimitPage> {
    const page = fromOne(query);
    const offset = (page - 1) * query.page_size;
    if (offset >= MAX_OFFSET) throw new DomainError('page_out_of_reach', { max: MAX_OFFSET });
    const filter = { ...query, accountId: query.account_id };
    const near = query.near ? { ids: await this.nearIds() } : {};
    const { rows, total } = await this.limits.page({ ...filter, ...near }, offset, query.page_size);
    return { items: await this.present(actor, rows), total, page, page_size: query.page_size };
  }

  /** Fails: not_found, also for a limit the actor may not read. */
  async get(actor: Actor, id: number): Promise<LimitView> {
    const [view] = await this.present(actor, [await this.readable(actor, id)]);
    if (view === undefined) throw new DomainError('not_found');
    return view;
  }

  /** Uses of the running period by value, and of the periods before. Fails: as `get`. */
  async history(actor: Actor, id: number): Promise<LimitHistory> {
    const limit = await this.readable(actor, id);
    const nowMs = this.cache.nowMs();
    const uses = (await this.uses.usesOf([limit], nowMs)).slice(0, MAX_USES);
    const values = uses.map(({ value }) => ({ scope: limit.scope, value }));
    const names = await this.subjects.names([limit], values);
    const periods = limit.measure === 'in_flight' ? [] : await this.limits.periods(id, MAX_HISTORY);
    return {
      uses: uses.map((use) => presentUse(limit, use, names, nowMs)),
      periods: periods.map(({ startsAtMs, used, calls }) => ({
        starts_at: Math.floor(startsAtMs / 1_000),
        used,
        calls,
      })),
    };
  }

  /** Administrators read every limit, users those that count their own calls alone. */
  private async mayRead(actor: Actor, limit: LimitEntity): Promise<boolean> {
    if (this.permissions.readsAll(actor)) return true;
    if (isShared(limit)) return false;
    const owner = await this.subjects.ownerOf(limit).catch(() => undefined);
    return owner?.id === actor.id;
  }

  private async readable(actor: Actor, id: number): Promise<LimitEntity> {
    const row = await this.limits.find(id);
    if (row === null || !(await this.mayRead(actor, row))) throw new DomainError('not_found');
    return row;
  }

  private async nearIds(): Promise<readonly number[]> {
    const limits = await this.limits.all();
    const byId = new Map(limits.map((limit) => [limit.id, limit]));
    const uses = await this.uses.usesOf(limits, this.cache.nowMs());
    return [...new Set(uses.map(({ limitId }) => limitId))].filter((id) => {
      const limit = byId.get(id);
      return limit !== undefined && uses.some((use) => use.limitId === id && isNear(limit, use));
    });
  }

  private async present(actor: Actor, rows: readonly LimitEntity[]): Promise<LimitView[]> {
    const nowMs = this.cache.nowMs();
    const top = new Map<number, LimitUseNow>();
    for (const use of await this.uses.usesOf(rows, nowMs)) {
      const known = top.get(use.limitId);
      if (known === undefined || use.used + use.held > known.used + known.held) top.set(use.limitId, use);
    }
    const values = rows.map(({ id, scope }) => ({ scope, value: top.get(id)?.value ?? '' }));
    const names = await this.subjects.names(rows, values);
    return Promise.all(
      rows.map(async (row) =>
        presentLimit(row, {
          names,
          nowMs,
          mayChange: (await this.permissions.refusalOfChange(actor, row)) === undefined,
          use: top.get(row.id),
        }),
      ),
    );
  }
}
