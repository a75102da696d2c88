import { fromOne } from '../../common/query.js';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type SelectQueryBuilder } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import { MAX_OFFSET, type Page } from '../../common/page.js';
import { escapeLike } from '../../common/text.js';
import { SecretBox } from '../../infra/crypto/secret-box.js';
import { Clock } from '../../common/clock.js';
import { AuditEventEntity } from './audit-event.entity.js';
import type { AuditChainView, AuditEventView, AuditQuery } from './dto/audit.dto.js';
import { type ChainReport, verifyChain } from './verify-chain.js';

/** Cache time of a report: a walk over the whole chain is not repeated for every reader. */
const REPORT_MS = 30_000;

/** The audit log as root reads it. */
@Injectable()
export class AuditService {
  private report: { readonly view: Promise<AuditChainView>; readonly untilMs: number } | undefined;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly secrets: SecretBox,
    private readonly clock: Clock,
  ) {}

  /** Newest row first. */
  async list(query: AuditQuery): Promise<Page<AuditEventView>> {
    const offset = (fromOne(query) - 1) * query.page_size;
    if (offset > MAX_OFFSET)
      throw new DomainError('malformed_input', { field: 'p', problem: ' (too far, narrow the search)' });
    const select = this.dataSource
      .getRepository(AuditEventEntity)
      .createQueryBuilder('event')
      .orderBy('event.sequence', 'DESC')
      .skip(offset)
      .take(query.page_size);
    narrow(select, query);
    const [rows, total] = await select.getManyAndCount();
    return { items: rows.map(present), total, page: fromOne(query), page_size: query.page_size };
  }

  /** Result of the check of all rows, at most half a minute old. */
  async chain(): Promise<AuditChainView> {
    const nowMs = this.clock.nowMs();
    if (this.report === undefined || nowMs >= this.report.untilMs) {
      const view = this.verify().then((report) => presentChain(report, nowMs));
      this.report = { view, untilMs: nowMs + REPORT_MS };
      // A failed walk has no result; the next reader starts another.
      view.catch(() => (this.report = undefined));
    }
    return this.report.view;
  }

  verify(): Promise<ChainReport> {
    return verifyChain(this.dataSource, this.secrets);
  }
}

function narrow(select: SelectQueryBuilder<AuditEventEntity>, query: AuditQuery): void {
  if (query.actor_id > 0) select.andWhere('event.actorId = :actorId', { actorId: query.actor_id });
  if (query.action.endsWith('*')) {
    const pattern = `${escapeLike(query.action.slice(0, -1))}%`;
    select.andWhere(`event.action LIKE :pattern ESCAPE '!'`, { pattern });
  } else if (query.action !== '') select.andWhere('event.action = :action', { action: query.action });
  if (query.target_type !== '')
    select.andWhere('event.targetType = :targetType', { targetType: query.target_type });
  if (query.target_id !== '') select.andWhere('event.targetId = :targetId', { targetId: query.target_id });
  if (query.start_timestamp > 0)
    select.andWhere('event.createdAtMs >= :fromMs', { fromMs: query.start_timestamp * 1000 });
  if (query.end_timestamp > 0)
    select.andWhere('event.createdAtMs < :toMs', { toMs: (query.end_timestamp + 1) * 1000 });
}

function present(row: AuditEventEntity): AuditEventView {
  return {
    sequence: row.sequence,
    created_at: Math.floor(row.createdAtMs / 1000),
    actor_id: row.actorId,
    actor_role: row.actorRole,
    actor_name: row.actorName,
    ip: row.ip,
    request_id: row.requestId,
    action: row.action,
    target_type: row.targetType,
    target_id: row.targetId,
    detail: row.detail,
    hash: row.hash,
  };
}

function presentChain(report: ChainReport, nowMs: number): AuditChainView {
  return {
    intact: report.fault === null,
    first_sequence: report.firstSequence,
    verified_up_to: report.verifiedUpTo,
    head_sequence: report.headSequence,
    head_hash: report.headHash,
    fault: report.fault,
    checked_at: Math.floor(nowMs / 1000),
  };
}
