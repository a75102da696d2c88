import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { ApiEnvelope } from '../../../common/api/api-envelope.decorator.js';
import { CallerLanguage } from '../../../common/api/caller-language.js';
import type { Language } from '../../../common/language.js';
import { DomainError } from '../../../common/errors/domain-error.js';
import { EnvelopeReply } from '../../../common/envelope.js';
import { pathId } from '../../../common/query.js';
import { Access } from '../../../base/access/access.js';
import { type Actor, CurrentActor } from '../../../base/access/current-actor.js';
import { type BinIds, binIdsSchema, deletedIds } from '../../../base/bin/bin-view.js';
import { ChannelBin } from './channel-bin.js';
import { type ChannelList, ChannelsService } from './channels.service.js';
import {
  type ChannelEdit,
  type ChannelInput,
  type ChannelListQuery,
  type ChannelSearchQuery,
  type ChannelView,
  channelCopySchema,
  channelEditSchema,
  channelIdsSchema,
  channelInputSchema,
  channelListQuerySchema,
  channelSchema,
  channelSearchQuerySchema,
  createdChannelsSchema,
} from './dto/channel.dto.js';
import { presentChannel } from './present-channel.js';

/** Upstream channels. No answer of these routes holds a key. */
@ApiTags('channels')
@Controller('api/channel')
export class ChannelsController {
  constructor(
    private readonly channels: ChannelsService,
    private readonly bin: ChannelBin,
  ) {}

  /** A page of channels, or of tags with all their channels; the total is in X-Total-Count. */
  @Get()
  @Access('admin')
  @ApiEnvelope(z.array(channelSchema))
  async list(
    @Query({ schema: channelListQuerySchema }) query: ChannelListQuery,
    @CallerLanguage() language: Language,
  ): Promise<EnvelopeReply> {
    return listReply(await this.channels.list(query), language);
  }

  @Get('search')
  @Access('admin')
  @ApiEnvelope(z.array(channelSchema))
  async search(
    @Query({ schema: channelSearchQuerySchema }) query: ChannelSearchQuery,
    @CallerLanguage() language: Language,
  ): Promise<EnvelopeReply> {
    return listReply(await this.channels.search(query), language);
  }

  @Get(':id')
  @Access('admin')
  @ApiEnvelope(channelSchema)
  async get(
    @Param('id', { schema: pathId() }) id: number,
    @CallerLanguage() language: Language,
  ): Promise<ChannelView> {
    return presentChannel(await this.channels.get(id), language);
  }

  /** Creates one channel per key. */
  @Post()
  @Access('admin')
  @ApiEnvelope(createdChannelsSchema)
  async create(
    @CurrentActor() actor: Actor,
    @Body({ schema: channelInputSchema }) input: ChannelInput,
  ): Promise<{ ids: number[] }> {
    return { ids: await this.channels.create(actor, input) };
  }

  /** Changes the members that are present; a changed destination asks for the key again. */
  @Put()
  @Access('admin')
  @ApiEnvelope(channelSchema)
  async update(
    @CurrentActor() actor: Actor,
    @Body({ schema: channelEditSchema }) edit: ChannelEdit,
    @CallerLanguage() language: Language,
  ): Promise<ChannelView> {
    return presentChannel(await this.channels.update(actor, edit), language);
  }

  /** A copy with the same key, which stays inside the server. */
  @Post('copy/:id')
  @Access('admin')
  @ApiEnvelope(createdChannelsSchema)
  async copy(
    @CurrentActor() actor: Actor,
    @Param('id', { schema: pathId() }) id: number,
    @Body({ schema: channelCopySchema }) body: { name?: string | undefined } | null | undefined,
  ): Promise<{ ids: number[] }> {
    return { ids: [await this.channels.copy(actor, id, body?.name)] };
  }

  /** Deletes several channels; answers how many there were. */
  @Post('batch')
  @Access('admin')
  @ApiEnvelope(z.int())
  async removeMany(
    @CurrentActor() actor: Actor,
    @Body({ schema: channelIdsSchema }) body: { ids: number[] },
  ): Promise<number> {
    if (body.ids.length === 0) throw new DomainError('channels_to_delete_required');
    return this.channels.remove(actor, body.ids);
  }

  /** Rebuilds what the relay chooses channels by; answers the number of channels. */
  @Post('fix')
  @Access('admin')
  @ApiEnvelope(z.int())
  async repair(@CurrentActor() actor: Actor): Promise<number> {
    return this.channels.repair(actor);
  }

  /** Deletes every disabled channel; answers how many, and their ids. */
  @Delete('disabled')
  @Access('admin')
  @ApiEnvelope(z.int(), deletedIds)
  async removeDisabled(@CurrentActor() actor: Actor): Promise<EnvelopeReply> {
    const ids = await this.channels.removeDisabled(actor);
    return new EnvelopeReply(ids.length, '', { ids });
  }

  /** Undoes deletions by the caller of the last minutes, all of them or none; answers how many. */
  @Post('restore')
  @Access('admin')
  @ApiEnvelope(z.int())
  async restore(@CurrentActor() actor: Actor, @Body({ schema: binIdsSchema }) body: BinIds): Promise<number> {
    return this.bin.undo(actor, body.ids);
  }

  @Delete(':id')
  @Access('admin')
  @ApiEnvelope()
  async remove(@CurrentActor() actor: Actor, @Param('id', { schema: pathId() }) id: number): Promise<void> {
    await this.channels.remove(actor, [id]);
  }
}

/** A bare list with its total in a header (paging style B). */
function listReply({ rows, total }: ChannelList, language: Language): EnvelopeReply {
  const shown = rows.map((row) => presentChannel(row, language));
  return new EnvelopeReply(shown, '', {}, { 'X-Total-Count': String(total) });
}
