import { Injectable, type OnModuleInit } from '@nestjs/common';
import { TagTotals } from '../billing/ledger/tag-totals.js';
import { LimitRetention } from '../limits/limit-retention.js';
import { EndUserLines } from '../logs/end-user-lines.js';
import { PersonalDataTables } from './personal-data-tables.js';

/** Clears the end users of an account together with its personal fields. */
@Injectable()
export class EndUserRecords implements OnModuleInit {
  constructor(
    private readonly personal: PersonalDataTables,
    private readonly lines: EndUserLines,
    private readonly limits: LimitRetention,
  ) {}

  onModuleInit(): void {
    this.personal.register(TagTotals.personalRows);
    this.personal.registerElsewhere((userId) => this.lines.clear(userId));
    this.personal.registerElsewhere((userId) => this.limits.clearAccount(userId));
  }
}
