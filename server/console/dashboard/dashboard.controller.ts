import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { Access } from '../../base/access/access.js';
import { type Actor, CurrentActor } from '../../base/access/current-actor.js';
import { DashboardService } from './dashboard.service.js';
import {
  type AdminUseQuery,
  adminUseQuerySchema,
  useSchema,
  type UseView,
  type UseQuery,
  useQuerySchema,
} from './dto/use.dto.js';

/** Figures of the data dashboard. */
@ApiTags('dashboard')
@Controller('api/data')
export class DashboardController {
  constructor(private readonly dashboard: DashboardService) {}

  /** Use by model and quarter of an hour, hour or day: of one account, or of everybody. At most a year. */
  @Get()
  @Access('admin')
  @ApiEnvelope(z.array(useSchema))
  all(
    @CurrentActor() actor: Actor,
    @Query({ schema: adminUseQuerySchema }) query: AdminUseQuery,
  ): Promise<UseView[]> {
    return this.dashboard.all(actor, query);
  }

  /** Use by account and quarter of an hour, hour or day: of the hundred that used most, and of all others together (`user_id` 0). At most a year. */
  @Get('users')
  @Access('admin')
  @ApiEnvelope(z.array(useSchema))
  byUser(
    @CurrentActor() actor: Actor,
    @Query({ schema: useQuerySchema }) query: UseQuery,
  ): Promise<UseView[]> {
    return this.dashboard.byUser(actor, query);
  }

  /** The caller's own use by model and quarter of an hour, hour or day. At most 31 days. */
  @Get('self')
  @Access('user')
  @ApiEnvelope(z.array(useSchema))
  own(@CurrentActor() actor: Actor, @Query({ schema: useQuerySchema }) query: UseQuery): Promise<UseView[]> {
    return this.dashboard.own(actor, query);
  }
}
