import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import { Clock } from '../../relay-core/ports/clock.js';
import { PriceTable } from '../billing/price-table.js';
import { isOptionKey } from '../options/option-catalogue.js';
import { OptionHistory } from '../options/option-history.service.js';
import { type OptionInput, OptionsService } from '../options/options.service.js';
import { PRICE_KEYS } from '../options/price-keys.js';
import type { PricePreview, PricePreviewRequest } from './dto/price-preview.dto.js';
import { PreviewRun } from './preview-run.js';
import { PreviewCalls } from './preview-calls.js';

const DAY_MS = 86_400_000;
/** Calls a preview looks at; beyond it the oldest are left out. */
const MAX_CALLS = 5_000_000;
/** Clocks of instances differ by this much at most. */
const AHEAD_MS = 60_000;
const LISTED_MODELS = 500;
const LISTED_USERS = 50;

/** What a change of prices would have meant for the calls of the last days. Stores nothing, holds no lock. */
@Injectable()
export class PricePreviewService {
  private readonly calls: PreviewCalls;
  private isRunning = false;

  constructor(
    dataSource: DataSource,
    private readonly options: OptionsService,
    private readonly history: OptionHistory,
    private readonly clock: Clock,
  ) {
    this.calls = new PreviewCalls(dataSource);
  }

  /**
   * @param isGone  whoever asked has left: what is still to be read is not read
   * Fails: `price_preview_running`, `price_option_expected`, and whatever the change itself would be refused with.
   */
  async preview(request: PricePreviewRequest, isGone: () => boolean): Promise<PricePreview> {
    if (this.isRunning) throw new DomainError('price_preview_running');
    this.isRunning = true;
    try {
      const table = new PriceTable(await this.options.tryChanges(await this.changesOf(request)), 0);
      return await this.run(table, request.days, isGone);
    } finally {
      this.isRunning = false;
    }
  }

  private async changesOf(request: PricePreviewRequest): Promise<readonly OptionInput[]> {
    if (request.version_id !== undefined) return this.history.pricesAt(request.version_id, request.to);
    for (const { key } of request.changes) {
      if (isOptionKey(key) && !PRICE_KEYS.has(key)) throw new DomainError('price_option_expected', { key });
    }
    return request.changes;
  }

  private async run(table: PriceTable, days: number, isGone: () => boolean): Promise<PricePreview> {
    // A moment ahead: calls that are settled just now are among them.
    const untilMs = this.clock.nowMs() + AHEAD_MS;
    const sinceMs = untilMs - AHEAD_MS - days * DAY_MS;
    const groupsOfUsers = this.needsUserGroups(table) ? await this.calls.groupsOfUsers() : undefined;
    const run = new PreviewRun(table, groupsOfUsers);
    await this.calls.eachPriceSum(sinceMs, untilMs, (sum) => run.takeSum(sum));
    let left = MAX_CALLS;
    if (run.affected.size > 0) {
      const ids = run.isEverythingAffected ? undefined : [...run.affected];
      await this.calls.eachPage(sinceMs, ids, async (rows) => {
        for (const row of rows) run.takeCall(row);
        left -= rows.length;
        if (left <= 0) run.sums.isComplete = false;
        // Calls that are served meanwhile get their turn between two pages.
        await nextTurn();
        return left > 0 && !isGone();
      });
    }
    return this.present(run, days);
  }

  /** Factors agreed for groups of accounts depend on who called, which prices of a call do not tell. */
  private needsUserGroups(table: PriceTable): boolean {
    return table.hasAgreedFactors || Object.keys(this.options.values().GroupGroupRatio).length > 0;
  }

  private async present({ sums }: PreviewRun, days: number): Promise<PricePreview> {
    const users = sums.affectedUsers(LISTED_USERS);
    const names = await this.calls.namesOf(users.map(({ userId }) => userId));
    return {
      days,
      ...sums.total,
      written_off: sums.writtenOff,
      repriced_calls: sums.repriced,
      not_repriced: {
        no_price: sums.noPrice,
        unknown_size: sums.unknownSize,
        unreadable: sums.unreadable,
      },
      is_complete: sums.isComplete,
      models: sums.modelSums(LISTED_MODELS).map((sum) => ({ ...sum })),
      users: users.map(({ userId, calls, before, after }) => ({
        ...{ user_id: userId, username: names.get(userId) ?? '' },
        ...{ calls, before, after },
      })),
    };
  }
}
