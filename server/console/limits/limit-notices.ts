import { Injectable } from '@nestjs/common';
import { Notifier } from '../../base/notifications/notifier.js';
import { AccountsService } from '../../base/users/accounts.service.js';
import type { DueWarning } from './due-warnings.js';
import { LimitSubjects } from './limit-subjects.js';

/** Sends warnings of limits to the accounts they concern. */
@Injectable()
export class LimitNotices {
  constructor(
    private readonly notifier: Notifier,
    private readonly accounts: AccountsService,
    private readonly subjects: LimitSubjects,
  ) {}

  /** To the owner of the calls and to the account that set the limit; to root when the calls are those of several accounts. */
  async send({ limit, use }: DueWarning, percent: number): Promise<void> {
    const value = { ...limit, each: false, subject: limit.each ? use.value : limit.subject };
    const owner = await this.subjects.ownerOf(value).catch(() => undefined);
    const recipients =
      owner === undefined
        ? await this.accounts.listRootRecipients()
        : await this.accounts.listRecipients([...new Set([owner.id, limit.createdBy])]);
    const names = await this.subjects.names([limit], [{ scope: limit.scope, value: value.subject }]);
    for (const recipient of recipients)
      await this.notifier.notify(recipient, {
        kind: 'limit-near',
        limitId: limit.id,
        name: limit.name,
        value: names.nameOf(limit.scope, value.subject),
        percent,
        measure: limit.measure,
        used: use.used,
        amount: use.amount,
        resetsAtMs: use.resetsAtMs,
      });
  }
}
