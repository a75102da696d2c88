import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import type { Page } from '../../common/page.js';
import { pathId } from '../../common/query.js';
import { Access } from '../../base/access/access.js';
import { type Actor, CurrentActor } from '../../base/access/current-actor.js';
import { type BinIds, binIdsSchema, deletedIds } from '../../base/bin/bin-view.js';
import { EnvelopeReply } from '../../common/envelope.js';
import { CodeBin } from './code-bin.js';
import { CodeCreators } from './code-creators.js';
import {
  type CreatorSumView,
  creatorSumSchema,
  type RedemptionCreate,
  redemptionCreateSchema,
  type RedemptionEdit,
  redemptionEditQuerySchema,
  redemptionEditSchema,
  type RedemptionListQuery,
  redemptionListQuerySchema,
  redemptionPageSchema,
  redemptionSchema,
  type RedemptionView,
} from './dto/redemption.dto.js';
import { RedemptionsService } from './redemptions.service.js';

/** Redemption codes, for administrators. */
@ApiTags('redemptions')
@Controller('api/redemption')
export class RedemptionsController {
  constructor(
    private readonly redemptions: RedemptionsService,
    private readonly codeCreators: CodeCreators,
    private readonly bin: CodeBin,
  ) {}

  @Get()
  @Access('admin')
  @ApiEnvelope(redemptionPageSchema)
  list(
    @Query({ schema: redemptionListQuerySchema }) query: RedemptionListQuery,
  ): Promise<Page<RedemptionView>> {
    return this.redemptions.list({ ...query, keyword: '' });
  }

  /** Search by id, or by the beginning of the name. */
  @Get('search')
  @Access('admin')
  @ApiEnvelope(redemptionPageSchema)
  search(
    @Query({ schema: redemptionListQuerySchema }) query: RedemptionListQuery,
  ): Promise<Page<RedemptionView>> {
    return this.redemptions.list(query);
  }

  /** Creators of codes, with the state of their codes. */
  @Get('creators')
  @Access('root')
  @ApiEnvelope(z.array(creatorSumSchema))
  creators(): Promise<CreatorSumView[]> {
    return this.codeCreators.sums();
  }

  @Get(':id')
  @Access('admin')
  @ApiEnvelope(redemptionSchema)
  get(@Param('id', { schema: pathId() }) id: number): Promise<RedemptionView> {
    return this.redemptions.get(id);
  }

  /** Makes codes: all of them or none. */
  @Post()
  @Access('admin')
  @ApiEnvelope(z.array(z.string()))
  create(
    @CurrentActor() actor: Actor,
    @Body({ schema: redemptionCreateSchema }) input: RedemptionCreate,
  ): Promise<string[]> {
    return this.redemptions.create(actor, input);
  }

  /** Changes an unused code; with a non-empty `status_only` disables or enables one. */
  @Put()
  @Access('admin')
  @ApiEnvelope(redemptionSchema)
  update(
    @CurrentActor() actor: Actor,
    @Body({ schema: redemptionEditSchema }) edit: RedemptionEdit,
    @Query({ schema: redemptionEditQuerySchema }) query: { status_only: string },
  ): Promise<RedemptionView> {
    if (query.status_only !== '') return this.redemptions.changeStatus(actor, edit.id, edit.status);
    return this.redemptions.edit(actor, edit);
  }

  /** Removes used, disabled and expired codes; answers how many, and the ids that can be restored. */
  @Delete('invalid')
  @Access('admin')
  @ApiEnvelope(z.int(), deletedIds)
  async removeInvalid(@CurrentActor() actor: Actor): Promise<EnvelopeReply> {
    const { count, ids } = await this.redemptions.removeInvalid(actor);
    return new EnvelopeReply(count, '', { ids });
  }

  /** Undoes deletions of unused codes by the caller of the last minutes, all of them or none; answers how many. */
  @Post('restore')
  @Access('admin')
  @ApiEnvelope(z.int())
  restore(@CurrentActor() actor: Actor, @Body({ schema: binIdsSchema }) body: BinIds): Promise<number> {
    return this.bin.undo(actor, body.ids);
  }

  @Delete(':id')
  @Access('admin')
  @ApiEnvelope()
  async remove(@CurrentActor() actor: Actor, @Param('id', { schema: pathId() }) id: number): Promise<void> {
    await this.redemptions.remove(actor, id);
  }
}
