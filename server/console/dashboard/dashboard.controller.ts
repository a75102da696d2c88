import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { Access } from '../../base/access/access.js';
import { type Actor, CurrentActor } from '../../base/access/current-actor.js';
import { DashboardService } from './dashboard.service.js';
import { AttemptUseService } from './attempt-use.service.js';
import { ReferenceUseService } from './reference-use.service.js';
import { warningSchema, type WarningView } from './dto/warning.dto.js';
import { ShownWarnings } from './shown-warnings.service.js';
import {
  type AttemptUseQuery,
  attemptUseQuerySchema,
  attemptUseSchema,
  type AttemptUseView,
  referenceUseSchema,
  type ReferenceUseView,
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
  constructor(
    private readonly dashboard: DashboardService,
    private readonly references: ReferenceUseService,
    private readonly attemptFigures: AttemptUseService,
    private readonly shownWarnings: ShownWarnings,
  ) {}

  /** Use by model and quarter of an hour, hour or day: of one account, or of all. At most a year. */
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

  /** Use by token of every account and quarter of an hour, hour or day: of the 50 that cost most, and of all others together (`reference` 0). At most a year. */
  @Get('tokens')
  @Access('admin')
  @ApiEnvelope(referenceUseSchema)
  byToken(
    @CurrentActor() actor: Actor,
    @Query({ schema: useQuerySchema }) query: UseQuery,
  ): Promise<ReferenceUseView> {
    return this.references.byToken(actor, query);
  }

  /** Use by channel and quarter of an hour, hour or day: of the 50 that cost most, and of all others together (`reference` 0). At most a year. */
  @Get('channels')
  @Access('admin')
  @ApiEnvelope(referenceUseSchema)
  byChannel(
    @CurrentActor() actor: Actor,
    @Query({ schema: useQuerySchema }) query: UseQuery,
  ): Promise<ReferenceUseView> {
    return this.references.byChannel(actor, query);
  }

  /** Attempts, failures, first token and duration: together, by hour or day, and by model or channel. At most a year. */
  @Get('attempts')
  @Access('admin')
  @ApiEnvelope(attemptUseSchema)
  attempts(
    @CurrentActor() actor: Actor,
    @Query({ schema: attemptUseQuerySchema }) query: AttemptUseQuery,
  ): Promise<AttemptUseView> {
    return this.attemptFigures.read(actor, query);
  }

  /** The caller's own use by token and quarter of an hour, hour or day: of the 50 that cost most, and of all others together. At most 31 days. */
  @Get('self/tokens')
  @Access('user')
  @ApiEnvelope(referenceUseSchema)
  ownByToken(
    @CurrentActor() actor: Actor,
    @Query({ schema: useQuerySchema }) query: UseQuery,
  ): Promise<ReferenceUseView> {
    return this.references.ownByToken(actor, query);
  }

  /** The caller's own use by model and quarter of an hour, hour or day. At most 31 days. */
  @Get('self')
  @Access('user')
  @ApiEnvelope(z.array(useSchema))
  own(@CurrentActor() actor: Actor, @Query({ schema: useQuerySchema }) query: UseQuery): Promise<UseView[]> {
    return this.dashboard.own(actor, query);
  }

  /** Conditions that make calls fail or lose money, now or soon: of the caller's account, and of the instance for administrators. */
  @Get('warnings')
  @Access('user')
  @ApiEnvelope(z.array(warningSchema))
  warnings(@CurrentActor() actor: Actor): Promise<WarningView[]> {
    return this.shownWarnings.of(actor);
  }
}
