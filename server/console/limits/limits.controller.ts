import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { pathId } from '../../common/query.js';
import { Access } from '../../base/access/access.js';
import { type Actor, CurrentActor } from '../../base/access/current-actor.js';
import { OpenInDemo } from '../../base/access/open-in-demo.js';
import {
  type LimitCreate,
  limitCreateSchema,
  type LimitEdit,
  limitEditSchema,
  type LimitHistory,
  limitHistorySchema,
  type LimitListQuery,
  limitListQuerySchema,
  type LimitOverrideInput,
  limitOverrideInputSchema,
  type LimitPage,
  limitPageSchema,
  type LimitPreview,
  limitPreviewSchema,
  type LimitReset,
  limitResetSchema,
  limitSchema,
  type LimitView,
} from './dto/limit.dto.js';
import { LimitAdministration } from './limit-administration.js';
import { LimitOverrides } from './limit-overrides.js';
import { LimitReader } from './limit-reader.js';
import { LimitResets } from './limit-resets.js';

/** Limits per period. Administrators set those of what they may act on, users those of their own tokens and end users. */
@ApiTags('limits')
@Controller('api/limits')
export class LimitsController {
  constructor(
    private readonly limits: LimitAdministration,
    private readonly reader: LimitReader,
    private readonly overrides: LimitOverrides,
    private readonly resets: LimitResets,
  ) {}

  /** Limits of every account with the use of their running period, newest first. */
  @Get()
  @Access('admin')
  @ApiEnvelope(limitPageSchema)
  list(
    @CurrentActor() actor: Actor,
    @Query({ schema: limitListQuerySchema }) query: LimitListQuery,
  ): Promise<LimitPage> {
    return this.reader.list(actor, query);
  }

  /** One limit. Users read those of their own calls alone. */
  @Get(':id')
  @Access('user')
  @ApiEnvelope(limitSchema)
  get(@CurrentActor() actor: Actor, @Param('id', { schema: pathId() }) id: number): Promise<LimitView> {
    return this.reader.get(actor, id);
  }

  /** Use of the running period by value, and of the periods before. Users read it for limits of their own calls alone. */
  @Get(':id/history')
  @Access('user')
  @ApiEnvelope(limitHistorySchema)
  history(
    @CurrentActor() actor: Actor,
    @Param('id', { schema: pathId() }) id: number,
  ): Promise<LimitHistory> {
    return this.reader.history(actor, id);
  }

  /** Makes a limit; answers its id. */
  @Post()
  @Access('user')
  @ApiEnvelope(z.int())
  create(
    @CurrentActor() actor: Actor,
    @Body({ schema: limitCreateSchema }) input: LimitCreate,
  ): Promise<number> {
    return this.limits.create(actor, input);
  }

  /** Use in the running period that a limit would start with; makes nothing. */
  @Post('preview')
  @Access('user')
  @OpenInDemo()
  @ApiEnvelope(limitPreviewSchema)
  preview(
    @CurrentActor() actor: Actor,
    @Body({ schema: limitCreateSchema }) input: LimitCreate,
  ): Promise<LimitPreview> {
    return this.limits.preview(actor, input);
  }

  /** Changes name, amount, action and warnings. What a limit counts stays: make another one. */
  @Put(':id')
  @Access('user')
  @ApiEnvelope()
  async update(
    @CurrentActor() actor: Actor,
    @Param('id', { schema: pathId() }) id: number,
    @Body({ schema: limitEditSchema }) input: LimitEdit,
  ): Promise<void> {
    await this.limits.edit(actor, id, input);
  }

  /** Sets another amount until the running period ends, with a reason. */
  @Put(':id/override')
  @Access('user')
  @ApiEnvelope()
  async override(
    @CurrentActor() actor: Actor,
    @Param('id', { schema: pathId() }) id: number,
    @Body({ schema: limitOverrideInputSchema }) input: LimitOverrideInput,
  ): Promise<void> {
    await this.overrides.set(actor, id, input);
  }

  /** Ends an override before the period does. */
  @Delete(':id/override')
  @Access('user')
  @ApiEnvelope()
  async endOverride(
    @CurrentActor() actor: Actor,
    @Param('id', { schema: pathId() }) id: number,
  ): Promise<void> {
    await this.overrides.end(actor, id);
  }

  /** Takes the use of the running period off; the period ends when it would have ended. */
  @Post(':id/reset')
  @Access('user')
  @ApiEnvelope()
  async reset(
    @CurrentActor() actor: Actor,
    @Param('id', { schema: pathId() }) id: number,
    @Body({ schema: limitResetSchema }) input: LimitReset,
  ): Promise<void> {
    await this.resets.reset(actor, id, input);
  }

  /** Deletes a limit with its use. */
  @Delete(':id')
  @Access('user')
  @ApiEnvelope()
  async remove(@CurrentActor() actor: Actor, @Param('id', { schema: pathId() }) id: number): Promise<void> {
    await this.limits.remove(actor, id);
  }
}
