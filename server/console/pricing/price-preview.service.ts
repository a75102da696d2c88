import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import { Clock } from '../../common/clock.js';
import { PriceTable } from '../../base/pricing/price-table.js';
import { isOptionKey, optionRow, PRICE_KEYS } from '../../base/options/option-catalogue.js';
import { OptionHistory } from '../../base/options/option-history.service.js';
import { type OptionInput, OptionsService } from '../../base/options/options.service.js';
import type { PricePreview, PricePreviewRequest } from './dto/price-preview.dto.js';
import { type ComparedTables, PreviewRun } from './preview-run.js';
import { PreviewCalls } from './preview-calls.js';

const DAY_MS = 86_400_000;
/** Calls a preview looks at; beyond it the oldest are left out. */
const MAX_CALLS = 10_000_000;
/** Worked on at a stretch: half a millisecond. */
const CALLS_PER_TURN = 250;
const LISTED_MODELS = 500;
const LISTED_USERS = 50;

/** Computes the effect of changed prices on the calls of the last days. Stores nothing, holds no lock. */
@Injectable()
export class PricePreviewService {
  private readonly calls: PreviewCalls;
  private isRunning = false;

  constructor(
    @InjectDataSource() dataSource: DataSource,
    private readonly options: OptionsService,
    private readonly history: OptionHistory,
    private readonly clock: Clock,
  ) {
    this.calls = new PreviewCalls(dataSource);
  }

  /**
   * @param isGone  true when the client has disconnected: reading stops
   * Fails: `price_preview_running`, `price_option_expected`, and with the errors of the change itself.
   */
  async preview(request: PricePreviewRequest, isGone: () => boolean): Promise<PricePreview> {
    if (this.isRunning) throw new DomainError('price_preview_running');
    this.isRunning = true;
    try {
      const draft = new PriceTable(await this.options.tryChanges(await this.changesOf(request)), 0);
      // Not what calls were charged then: changes that were stored since are no effect of this draft.
      const today = new PriceTable(this.options.values(), 0);
      return await this.run({ today, draft }, request.days, isGone);
    } finally {
      this.isRunning = false;
    }
  }

  private async changesOf(request: PricePreviewRequest): Promise<readonly OptionInput[]> {
    if (request.version_id !== undefined) return this.history.pricesAt(request.version_id, request.to);
    if (request.reset) {
      const { fallback, format } = optionRow('ModelRatio');
      return [{ key: 'ModelRatio', value: format(fallback) }];
    }
    for (const { key } of request.changes) {
      if (isOptionKey(key) && !PRICE_KEYS.has(key)) throw new DomainError('price_option_expected', { key });
    }
    return request.changes;
  }

  private async run(tables: ComparedTables, days: number, isGone: () => boolean): Promise<PricePreview> {
    const sinceMs = this.clock.nowMs() - days * DAY_MS;
    // Factors agreed for groups of accounts depend on the caller, which the prices of a call do not name.
    const needsGroups = tables.today.hasAgreedFactors || tables.draft.hasAgreedFactors;
    const groupsOfUsers = needsGroups ? await this.calls.groupsOfUsers() : undefined;
    const run = new PreviewRun(tables, groupsOfUsers);
    let left = MAX_CALLS;
    await this.calls.eachPage(
      sinceMs,
      () => run.alike,
      async (calls) => {
        const unknown = run.unknownIn(calls);
        if (unknown.length > 0) run.learn(unknown, await this.calls.documentsOf(unknown));
        for (let from = 0; from < calls.length; from += CALLS_PER_TURN) {
          for (const call of calls.slice(from, from + CALLS_PER_TURN)) run.takeCall(call);
          // Calls that are served meanwhile get their turn, and so do the rows of the next page: the database need not wait for us.
          await nextTurn();
        }
        left -= calls.length;
        if (left <= 0) run.sums.isComplete = false;
        return left > 0 && !isGone();
      },
    );
    return this.present(run, days);
  }

  private async present({ sums }: PreviewRun, days: number): Promise<PricePreview> {
    const users = sums.affectedUsers(LISTED_USERS);
    const names = await this.calls.namesOf(users.map(({ userId }) => userId));
    return {
      days,
      ...sums.total,
      written_off: sums.writtenOff,
      repriced_calls: sums.repriced,
      refused: {
        calls: sums.refused,
        models: sums.refusedModels(LISTED_MODELS).map((sum) => ({ ...sum })),
      },
      not_repriced: {
        no_price: sums.noPrice,
        unknown_size: sums.unknownSize,
        unreadable: sums.unreadable,
      },
      is_complete: sums.isComplete,
      models: sums.modelSums(LISTED_MODELS).map((sum) => ({ ...sum })),
      users: users.map(({ userId, ...sum }) => ({
        user_id: userId,
        username: names.get(userId) ?? '',
        ...sum,
      })),
    };
  }
}
