import { Controller, Delete, Get, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { CallerLanguage } from '../../common/api/caller-language.js';
import type { Language } from '../../common/language.js';
import type { Page } from '../../common/page.js';
import { Access } from '../../base/access/access.js';
import { type Actor, CurrentActor } from '../../base/access/current-actor.js';
import {
  type LogLineView,
  type LogListQuery,
  logDeleteQuerySchema,
  logLineSchema,
  logListQuerySchema,
  logPageSchema,
  logSearchQuerySchema,
} from './dto/log.dto.js';
import { LogDeletion } from './log-deletion.service.js';
import { LogsService } from './logs.service.js';

/** The usage log of all accounts. */
@ApiTags('logs')
@Controller('api/log')
export class LogsController {
  constructor(
    private readonly logs: LogsService,
    private readonly deletion: LogDeletion,
  ) {}

  @Get()
  @Access('admin')
  @ApiEnvelope(logPageSchema)
  async list(
    @Query({ schema: logListQuerySchema }) query: LogListQuery,
    @CallerLanguage() language: Language,
  ): Promise<Page<LogLineView>> {
    return this.logs.list(query, language);
  }

  @Get('search')
  @Access('admin')
  @ApiEnvelope(z.array(logLineSchema))
  async search(
    @Query({ schema: logSearchQuerySchema }) query: { keyword: string },
    @CallerLanguage() language: Language,
  ): Promise<LogLineView[]> {
    return this.logs.search(query.keyword, language);
  }

  @Delete()
  @Access('root')
  @ApiEnvelope(z.int())
  async deleteBefore(
    @CurrentActor() actor: Actor,
    @Query({ schema: logDeleteQuerySchema }) query: { target_timestamp: number },
    @Req() request: FastifyRequest,
  ): Promise<number> {
    return this.deletion.deleteBefore(actor, query.target_timestamp, () => request.raw.socket.destroyed);
  }
}
