import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, In, IsNull, LessThan, MoreThan, Not } from 'typeorm';
import { isDuplicateKey } from '../../../infra/database/run-in-transaction.js';
import { AlertEntity } from './alert.entity.js';
import type { Delivery } from './delivery.js';
import { type Finding, findingKey } from '../model/finding.js';

/** Past alerts that are kept. */
const KEPT = 500;

/** Alerts in SQL. Everything fails with the database's error. */
@Injectable()
export class AlertStore {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  open(): Promise<AlertEntity[]> {
    return this.rows().find({ where: { overAtMs: IsNull() }, order: { id: 'ASC' } });
  }

  /** Ended ones whose end was not sent to their receivers yet. */
  owingRecovery(): Promise<AlertEntity[]> {
    return this.rows().find({ where: { owesRecovery: 1, overAtMs: Not(IsNull()) }, order: { id: 'ASC' } });
  }

  find(id: number): Promise<AlertEntity | null> {
    return this.rows().findOneBy({ id });
  }

  /** Newest first. @param state  open, over; anything else = both */
  async page(state: string, offset: number, limit: number): Promise<{ rows: AlertEntity[]; total: number }> {
    const overAtMs = state === 'open' ? IsNull() : state === 'over' ? Not(IsNull()) : undefined;
    const [rows, total] = await this.rows().findAndCount({
      ...(overAtMs === undefined ? {} : { where: { overAtMs } }),
      order: { id: 'DESC' },
      skip: offset,
      take: limit,
    });
    return { rows, total };
  }

  /**
   * Records the start of an alert; one that starts again within the quiet time is the same alert. Another evaluator may have done
   * so already: then nothing happens.
   */
  async begin(finding: Finding, nowMs: number, quietMs: number): Promise<void> {
    const { rule, subject, severity, facts, sinceMs } = finding;
    const state = {
      severity,
      sinceMs,
      openKey: findingKey(finding),
      overAtMs: null,
      facts: JSON.stringify(facts),
    };
    try {
      const again = await this.rows().findOne({
        where: { rule, subject, overAtMs: MoreThan(nowMs - quietMs) },
        order: { id: 'DESC' },
      });
      if (again === null) await this.rows().insert({ rule, subject, openedAtMs: nowMs, ...state });
      else await this.rows().update({ id: again.id }, { ...state, repeats: again.repeats + 1 });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }

  async refresh(id: number, { severity, facts }: Finding): Promise<void> {
    await this.rows().update({ id }, { severity, facts: JSON.stringify(facts) });
  }

  async end(id: number, nowMs: number): Promise<void> {
    await this.rows().update({ id, overAtMs: IsNull() }, { overAtMs: nowMs, openKey: null });
  }

  /** An alert that was resolved before it could be stored: its recipients need no further message. */
  async recordResolved(finding: Finding, times: { notifiedAtMs: number; overAtMs: number }): Promise<void> {
    const { rule, subject, severity, facts, sinceMs } = finding;
    await this.rows().insert({
      rule,
      subject,
      severity,
      sinceMs,
      openedAtMs: times.notifiedAtMs,
      ...times,
      facts: JSON.stringify(facts),
    });
  }

  async told(ids: readonly number[], nowMs: number, fault: string): Promise<void> {
    await this.rows().update(
      { id: In([...ids]) },
      { notifiedAtMs: nowMs, notifyAttempts: 0, notifyFault: fault, owesRecovery: 1 },
    );
  }

  async recordNotifyFailure(
    rows: readonly AlertEntity[],
    { fault }: Delivery,
    giveUpAtMs: number | null,
  ): Promise<void> {
    for (const { id, notifyAttempts } of rows) {
      await this.rows().update(
        { id },
        giveUpAtMs === null
          ? { notifyAttempts: notifyAttempts + 1, notifyFault: fault }
          : { notifyAttempts: 0, notifyFault: fault, notifiedAtMs: giveUpAtMs },
      );
    }
  }

  async recordResolvedNotified(ids: readonly number[]): Promise<void> {
    await this.rows().update({ id: In([...ids]) }, { owesRecovery: 0, notifyAttempts: 0 });
  }

  /** @returns false when it was acknowledged already */
  async acknowledge(id: number, by: { id: number; name: string }, nowMs: number): Promise<boolean> {
    const { affected } = await this.rows().update(
      { id, acknowledgedBy: 0 },
      { acknowledgedBy: by.id, acknowledgedName: by.name.slice(0, 64), acknowledgedAtMs: nowMs },
    );
    return affected === 1;
  }

  async prune(): Promise<void> {
    const [oldest] = await this.rows().find({
      select: { id: true },
      where: { overAtMs: Not(IsNull()) },
      order: { id: 'DESC' },
      skip: KEPT,
      take: 1,
    });
    if (oldest !== undefined)
      await this.rows().delete({ id: LessThan(oldest.id + 1), overAtMs: Not(IsNull()) });
  }

  private rows() {
    return this.dataSource.getRepository(AlertEntity);
  }
}
