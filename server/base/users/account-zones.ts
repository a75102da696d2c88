import { Injectable } from '@nestjs/common';
import { isTimeZone, UTC } from '../../common/time-zone.js';
import { AccountsRepository } from './accounts.repository.js';
import { readSetting } from './user-setting.js';

/** In which time zone an account reads days. */
@Injectable()
export class AccountZones {
  constructor(private readonly accounts: AccountsRepository) {}

  /** @param asked  what a request names; empty = what the account has set, else UTC */
  async zoneFor(accountId: number, asked: string): Promise<string> {
    if (asked !== '') return asked;
    const { setting } = await this.accounts.callerFactsOf(accountId);
    const own = readSetting(setting).time_zone ?? '';
    // A runtime that knows fewer zones than the one that stored it.
    return isTimeZone(own) ? own : UTC;
  }
}
