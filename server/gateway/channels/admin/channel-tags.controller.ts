import { Body, Controller, HttpCode, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { ApiEnvelope } from '../../../common/api/api-envelope.decorator.js';
import { Access } from '../../../base/access/access.js';
import { type Actor, CurrentActor } from '../../../base/access/current-actor.js';
import { CHANNEL_STATUS } from '../state/channel.codes.js';
import { ChannelTagsService } from './channel-tags.service.js';
import {
  channelBatchPrioritySchema,
  channelBatchStatusSchema,
  channelBatchTagSchema,
  type ChannelTagEdit,
  channelTagEditSchema,
  channelTagSchema,
} from './dto/channel.dto.js';

/** Channels by tag: everything here changes all channels of a tag at once. */
@ApiTags('channels')
@Controller('api/channel')
export class ChannelTagsController {
  constructor(private readonly tags: ChannelTagsService) {}

  /** Sets, or with null removes, the tag of several channels. */
  @Post('batch/tag')
  @Access('admin')
  @ApiEnvelope(z.int())
  async tagChannels(
    @CurrentActor() actor: Actor,
    @Body({ schema: channelBatchTagSchema }) body: { ids: number[]; tag: string | null },
  ): Promise<number> {
    return this.tags.tagChannels(actor, body.ids, body.tag);
  }

  /** Enables (1) or disables (2) several channels; answers how many changed. */
  @Post('batch/status')
  @HttpCode(200)
  @Access('admin')
  @ApiEnvelope(z.int())
  async switchChannels(
    @CurrentActor() actor: Actor,
    @Body({ schema: channelBatchStatusSchema }) { ids, status }: { ids: number[]; status: 1 | 2 },
  ): Promise<number> {
    return this.tags.setStatusOf(actor, ids, status);
  }

  /** Sets the priority of several channels; answers how many changed. */
  @Post('batch/priority')
  @HttpCode(200)
  @Access('admin')
  @ApiEnvelope(z.int())
  async prioritise(
    @CurrentActor() actor: Actor,
    @Body({ schema: channelBatchPrioritySchema }) { ids, priority }: { ids: number[]; priority: number },
  ): Promise<number> {
    return this.tags.setPriorityOf(actor, ids, priority);
  }

  @Put('tag')
  @Access('admin')
  @ApiEnvelope()
  async edit(
    @CurrentActor() actor: Actor,
    @Body({ schema: channelTagEditSchema }) edit: ChannelTagEdit,
  ): Promise<void> {
    await this.tags.edit(actor, edit);
  }

  @Post('tag/enabled')
  @Access('admin')
  @ApiEnvelope()
  async enable(
    @CurrentActor() actor: Actor,
    @Body({ schema: channelTagSchema }) body: { tag: string },
  ): Promise<void> {
    await this.tags.setStatus(actor, body.tag, CHANNEL_STATUS.enabled);
  }

  @Post('tag/disabled')
  @Access('admin')
  @ApiEnvelope()
  async disable(
    @CurrentActor() actor: Actor,
    @Body({ schema: channelTagSchema }) body: { tag: string },
  ): Promise<void> {
    await this.tags.setStatus(actor, body.tag, CHANNEL_STATUS.disabledByHand);
  }
}
