import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { CallerLanguage } from '../../common/api/caller-language.js';
import type { Language } from '../../common/language.js';
import { EnvelopeReply } from '../../common/envelope.js';
import { Access } from '../../base/access/access.js';
import { type Actor, CurrentActor } from '../../base/access/current-actor.js';
import {
  drawingSchema,
  type DrawingsQuery,
  drawingsQuerySchema,
  type OwnDrawingsQuery,
  ownDrawingsQuerySchema,
} from './dto/task.dto.js';
import { TaskLists, listReply } from './task-lists.service.js';

/** Drawings, newest first, ten at a time; how many there are is in X-Total-Count. Times are milliseconds. */
@ApiTags('tasks')
@Controller('api/mj')
export class DrawingsController {
  constructor(private readonly lists: TaskLists) {}

  @Get()
  @Access('admin')
  @ApiEnvelope(z.array(drawingSchema))
  async all(
    @Query({ schema: drawingsQuerySchema }) query: DrawingsQuery,
    @CallerLanguage() language: Language,
  ): Promise<EnvelopeReply> {
    return listReply(await this.lists.allDrawings(query, language));
  }

  @Get('self')
  @Access('user')
  @ApiEnvelope(z.array(drawingSchema))
  async own(
    @CurrentActor() actor: Actor,
    @Query({ schema: ownDrawingsQuerySchema }) query: OwnDrawingsQuery,
    @CallerLanguage() language: Language,
  ): Promise<EnvelopeReply> {
    return listReply(await this.lists.ownDrawings(actor, query, language));
  }
}
