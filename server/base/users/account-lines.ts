import { Injectable } from '@nestjs/common';
import { OptionsService } from '../options/options.service.js';
import { formatQuota } from '../pricing/format-quota.js';
import { type LogNote, LogWriter } from '../logs/log-writer.js';
import { AccountsRepository } from './accounts.repository.js';

/** Lines in the log of an account, by its number: its name is looked up, and quota is written as the operator shows it. */
@Injectable()
export class AccountLines {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly options: OptionsService,
    private readonly writer: LogWriter,
  ) {}

  quotaText(quota: number): string {
    return formatQuota(quota, this.options.values());
  }

  /** Fails: as `LogWriter.write`, and with the error of the database. */
  async write(note: Omit<LogNote, 'username'>): Promise<void> {
    const account = await this.accounts.findIdentity(note.userId);
    await this.writer.write({ ...note, username: account?.username ?? '' });
  }
}
