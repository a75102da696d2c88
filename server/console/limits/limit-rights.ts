import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Actor } from '../../base/access/current-actor.js';
import { areLimitsCountedByAll } from '../../base/billing/ledger/instances.js';
import { OptionsService } from '../../base/options/options.service.js';
import type { LimitRightsView } from './dto/limit.dto.js';
import { LimitPermissions } from './limit-permissions.js';

/** Rights of an account over limits, and whether every worker counts them. */
@Injectable()
export class LimitRights {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly permissions: LimitPermissions,
    private readonly options: OptionsService,
  ) {}

  /** Fails: with the database's error. */
  async of(actor: Actor): Promise<LimitRightsView> {
    return {
      scopes: [...this.permissions.scopesOf(actor)],
      time_zone: this.options.values().LimitTimeZone,
      binding: await areLimitsCountedByAll(this.dataSource),
    };
  }
}
