import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { Access } from '../../base/access/access.js';
import { type Actor, CurrentActor } from '../../base/access/current-actor.js';
import {
  limitRightsSchema,
  type LimitRightsView,
  ownLimitSchema,
  type OwnLimitsQuery,
  ownLimitsQuerySchema,
  type OwnLimitView,
} from './dto/limit.dto.js';
import { LimitRights } from './limit-rights.js';
import { OwnLimits } from './own-limits.js';

/** Limits that concern the signed-in account. */
@ApiTags('limits')
@Controller('api/limits')
export class OwnLimitsController {
  constructor(
    private readonly own: OwnLimits,
    private readonly limitRights: LimitRights,
  ) {}

  /** Limits of the account, its tokens, its end users, its group and everyone, oldest first. Those over several accounts show no use. */
  @Get('self')
  @Access('user')
  @ApiEnvelope(z.array(ownLimitSchema))
  list(
    @CurrentActor() actor: Actor,
    @Query({ schema: ownLimitsQuerySchema }) query: OwnLimitsQuery,
  ): Promise<OwnLimitView[]> {
    return this.own.list(actor, query.token_id);
  }

  /** Scopes of limits that the account may set, the time zone in which periods start, and whether every worker counts limits. */
  @Get('rights')
  @Access('user')
  @ApiEnvelope(limitRightsSchema)
  rights(@CurrentActor() actor: Actor): Promise<LimitRightsView> {
    return this.limitRights.of(actor);
  }
}
