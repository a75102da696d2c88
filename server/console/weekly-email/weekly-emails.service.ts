import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { DomainError } from '../../common/errors/domain-error.js';
import type { Language } from '../../common/language.js';
import { runInTransaction } from '../../infra/database/run-in-transaction.js';
import type { Actor } from '../../base/access/current-actor.js';
import { actorAndTarget } from '../../base/audit/actor-and-target.js';
import { AuditLog } from '../../base/audit/audit-log.js';
import { noticeAddressOf } from '../../base/users/notification-settings.js';
import { AccountsService } from '../../base/users/accounts.service.js';
import { AccountZones } from '../../base/users/account-zones.js';
import { readSetting } from '../../base/users/user-setting.js';
import type { WeeklyEmailView } from './dto/weekly-email.dto.js';
import { StopLink } from './stop-link.js';
import { nextDueMs } from './week.js';
import { WeeklyEmailSender } from './weekly-email-sender.js';
import { WeeklyEmailsRepository } from './weekly-emails.repository.js';

/** The actor of acts by a signed link. */
const NOT_SIGNED_IN = { id: 0, role: 0 };

/** An account whose link was checked. */
export interface LinkedAccount {
  readonly id: number;
  readonly language: Language;
}

/** Addresses, zones and links of the accounts with a switch. */
@Injectable()
export class WeeklyEmailAccounts {
  constructor(
    private readonly accounts: AccountsService,
    private readonly zones: AccountZones,
    private readonly links: StopLink,
    private readonly clock: Clock,
  ) {}

  /** Returns the address of the summary; empty = the account has none, is banned or gone. */
  async addressOf(userId: number): Promise<string> {
    const [recipient] = await this.accounts.listRecipients([userId]);
    return recipient === undefined ? '' : noticeAddressOf(recipient);
  }

  /** Returns the moment of the next summary, milliseconds. */
  async nextDueMs(userId: number): Promise<number> {
    return nextDueMs(await this.zones.zoneFor(userId, ''), Math.floor(this.clock.nowMs() / 1_000));
  }

  async ofLink(userId: number, signature: string): Promise<LinkedAccount | null> {
    if ((await this.accounts.findIdentity(userId)) === null) return null;
    const { uid, setting } = await this.accounts.callerFactsOf(userId);
    if (!this.links.isGood(userId, uid, signature)) return null;
    return { id: userId, language: readSetting(setting).language ?? 'en' };
  }
}

/** The switch of the weekly summary: by its account, and by the link in each e-mail. */
@Injectable()
export class WeeklyEmails {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly rows: WeeklyEmailsRepository,
    private readonly accounts: WeeklyEmailAccounts,
    private readonly sender: WeeklyEmailSender,
    private readonly audit: AuditLog,
  ) {}

  async get(actor: Actor): Promise<WeeklyEmailView> {
    const row = await this.rows.find(actor.id);
    const dueAtMs = row?.dueAtMs ?? null;
    return {
      enabled: dueAtMs !== null,
      available: this.sender.isAvailable,
      address: await this.accounts.addressOf(actor.id),
      next_at: dueAtMs === null ? null : Math.floor(dueAtMs / 1_000),
    };
  }

  /** Fails: DomainError `weekly_email_unavailable`, `notification_address_missing` when it is switched on. */
  async change(actor: Actor, enabled: boolean): Promise<WeeklyEmailView> {
    if (enabled && !this.sender.isAvailable) throw new DomainError('weekly_email_unavailable');
    if (enabled && (await this.accounts.addressOf(actor.id)) === '')
      throw new DomainError('notification_address_missing');
    await this.switch(actor, actor.id, enabled, 'settings');
    return this.get(actor);
  }

  /** The account of a link; null = the link is not genuine, or its account is gone. */
  async linked(userId: number, signature: string): Promise<LinkedAccount | null> {
    return this.accounts.ofLink(userId, signature);
  }

  /** Switches the summary off without a sign-in; a summary that is off stays so. */
  async stop({ id }: LinkedAccount): Promise<void> {
    await this.switch(NOT_SIGNED_IN, id, false, 'link');
  }

  private async switch(
    actor: Pick<Actor, 'id' | 'role'>,
    userId: number,
    enabled: boolean,
    way: 'settings' | 'link',
  ): Promise<void> {
    const dueAtMs = enabled ? await this.accounts.nextDueMs(userId) : null;
    if (enabled) await this.rows.ensure(userId);
    await runInTransaction(this.dataSource, async (manager) => {
      if (!(await this.rows.switch(manager, userId, dueAtMs))) return;
      await this.audit.record(manager, {
        ...actorAndTarget(actor, userId),
        action: 'user.weekly_email',
        detail: { now: enabled, way },
      });
    });
  }
}
