import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { LOG_DATA_SOURCE } from '../../../infra/database/database.module.js';
import { LimitShares } from '../../../infra/rate-limit/limit-shares.js';
import { SharedStore } from '../../../infra/shared-store/shared-store.js';
import { Clock } from '../../../common/clock.js';
import { Ids } from '../../../common/ids.js';
import { LimitCache } from '../../limits/limit-cache.js';
import { BOOT_ID } from '../ledger/billing.tokens.js';

/** Stores and infrastructure of the money engine. */
@Injectable()
export class MoneyStores {
  constructor(
    @InjectDataSource() readonly dataSource: DataSource,
    @InjectDataSource(LOG_DATA_SOURCE) readonly logDataSource: DataSource,
    @Inject(SharedStore) readonly store: SharedStore,
    @Inject(LimitShares) readonly shares: LimitShares,
  ) {}
}

/** Time and names, as this worker has them. */
@Injectable()
export class MoneyWorker {
  constructor(
    @Inject(Clock) readonly clock: Clock,
    @Inject(Ids) readonly ids: Ids,
    @Inject(BOOT_ID) readonly bootId: string,
    @Inject(LimitCache) readonly limits: LimitCache,
  ) {}
}
