import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { ApiEnvelope } from '../../common/http/api-envelope.decorator.js';
import { Access } from '../auth/decorators/access.js';
import { type Actor, CurrentActor } from '../auth/decorators/current-actor.js';
import { DashboardService } from './dashboard.service.js';
import {
  type AdminUseQuery,
  adminUseQuerySchema,
  hourlyUseSchema,
  type HourlyUseView,
  type UseQuery,
  useQuerySchema,
} from './dto/hourly-use.dto.js';

/** Figures of the data dashboard. */
@ApiTags('dashboard')
@Controller('api/data')
export class DashboardController {
  constructor(private readonly dashboard: DashboardService) {}

  /** Use by model and hour: of one account, or of everybody. At most a year. */
  @Get()
  @Access('admin')
  @ApiEnvelope(z.array(hourlyUseSchema))
  all(
    @CurrentActor() actor: Actor,
    @Query({ schema: adminUseQuerySchema }) query: AdminUseQuery,
  ): Promise<HourlyUseView[]> {
    return this.dashboard.all(actor, query);
  }

  /** Use by account and hour: of the hundred that used most, and of all others together (`user_id` 0). At most a year. */
  @Get('users')
  @Access('admin')
  @ApiEnvelope(z.array(hourlyUseSchema))
  byUser(
    @CurrentActor() actor: Actor,
    @Query({ schema: useQuerySchema }) query: UseQuery,
  ): Promise<HourlyUseView[]> {
    return this.dashboard.byUser(actor, query);
  }

  /** The caller's own use by model and hour. At most 31 days. */
  @Get('self')
  @Access('user')
  @ApiEnvelope(z.array(hourlyUseSchema))
  own(
    @CurrentActor() actor: Actor,
    @Query({ schema: useQuerySchema }) query: UseQuery,
  ): Promise<HourlyUseView[]> {
    return this.dashboard.own(actor, query);
  }
}
