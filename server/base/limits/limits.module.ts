import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OptionsModule } from '../options/options.module.js';
import { LimitCache } from './limit-cache.js';
import { LimitEntity } from './limit.entity.js';
import { LimitFailedCallEntity } from './limit-failed-call.entity.js';
import { LimitUseEntity } from './limit-use.entity.js';
import { LimitOpenings } from './limit-openings.js';
import { LimitRetention } from './limit-retention.js';
import { LimitStore } from './limit-store.js';
import { LimitUses } from './limit-uses.js';
import { LimitZones } from './limit-zones.js';

/** Limits per period: rows, periods and use. */
@Module({
  imports: [OptionsModule, TypeOrmModule.forFeature([LimitEntity, LimitFailedCallEntity, LimitUseEntity])],
  providers: [LimitCache, LimitOpenings, LimitRetention, LimitStore, LimitUses, LimitZones],
  exports: [LimitCache, LimitOpenings, LimitRetention, LimitStore, LimitUses, LimitZones, TypeOrmModule],
})
export class LimitsModule {}
