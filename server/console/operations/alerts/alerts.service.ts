import { fromOne } from '../../../common/query.js';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../common/errors/domain-error.js';
import type { Language } from '../../../common/language.js';
import { MAX_OFFSET, type Page } from '../../../common/page.js';
import { Clock } from '../../../common/clock.js';
import { AuditLog } from '../../../base/audit/audit-log.js';
import type { Actor } from '../../../base/access/current-actor.js';
import { AlertStore } from './alert-store.js';
import type { AlertEntity } from './alert.entity.js';
import { AlertNotifier } from './alert-notifier.js';
import type { Delivery } from './delivery.js';
import type { AlertQuery, AlertView } from '../dto/alert.dto.js';
import { readFacts } from './stored-alert-messages.js';
import { findingText } from './finding-texts.js';
import { GONE_AFTER_MS } from '../model/fleet.js';
import { WorkerReports } from '../fleet/worker-reports.js';
import { isRule, type Severity } from '../model/finding.js';

/** Alerts as administrators see and handle them. */
@Injectable()
export class AlertsService {
  constructor(
    private readonly book: AlertStore,
    private readonly notifier: AlertNotifier,
    private readonly board: WorkerReports,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** Newest first. Fails: malformed_input for a page too far. */
  async list(query: AlertQuery, language: Language): Promise<Page<AlertView>> {
    const offset = (fromOne(query) - 1) * query.page_size;
    if (offset > MAX_OFFSET) throw new DomainError('malformed_input', { field: 'p', problem: ' (too far)' });
    const { rows, total } = await this.book.page(query.state, offset, query.page_size);
    return {
      items: rows.map((row) => presentAlert(row, language)),
      total,
      page: fromOne(query),
      page_size: query.page_size,
    };
  }

  /**
   * Acknowledges an alert: no further messages are sent about it. An instance that is gone is not expected back then. Fails:
   * not_found.
   */
  async acknowledge(actor: Actor, id: number): Promise<void> {
    const alert = await this.book.find(id);
    if (alert === null) throw new DomainError('not_found');
    const by = { id: actor.id, name: actor.username };
    if (!(await this.book.acknowledge(id, by, this.clock.nowMs()))) return;
    if (alert.rule === 'instance-gone' && alert.overAtMs === null)
      await this.board.forgetInstance(alert.subject, GONE_AFTER_MS);
    await this.audit.record(null, {
      actorId: actor.id,
      actorRole: actor.role,
      action: 'alert.acknowledge',
      targetType: 'alert',
      targetId: id,
      detail: { rule: alert.rule, subject: alert.subject },
    });
  }

  /** Sends a test to all recipients now. */
  async test(actor: Actor): Promise<Delivery> {
    await this.audit.record(null, {
      actorId: actor.id,
      actorRole: actor.role,
      action: 'alert.test',
      targetType: 'alert',
      targetId: 'test',
    });
    return this.notifier.sendTest();
  }
}

function presentAlert(row: AlertEntity, language: Language): AlertView {
  const facts = readFacts(row.facts);
  const words = isRule(row.rule)
    ? findingText(row.rule, facts, language)
    : { title: row.rule, sentence: row.subject, remedy: '' };
  const seconds = (ms: number): number => Math.floor(ms / 1_000);
  return {
    id: row.id,
    rule: row.rule,
    subject: row.subject,
    severity: row.severity as Severity,
    ...words,
    since: seconds(row.sinceMs),
    opened_at: seconds(row.openedAtMs),
    over_at: row.overAtMs === null ? null : seconds(row.overAtMs),
    repeats: row.repeats,
    told_at: seconds(row.notifiedAtMs),
    tell_fault: row.notifyFault,
    acknowledged_at: seconds(row.acknowledgedAtMs),
    acknowledged_by: row.acknowledgedName,
  };
}
