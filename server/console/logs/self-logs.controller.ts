import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { CallerLanguage } from '../../common/api/caller-language.js';
import type { Language } from '../../common/language.js';
import type { Page } from '../../common/page.js';
import { Access } from '../../base/access/access.js';
import { type Actor, CurrentActor } from '../../base/access/current-actor.js';
import {
  type LogLineView,
  logLineSchema,
  logPageSchema,
  logSearchQuerySchema,
  type SelfLogListQuery,
  selfLogListQuerySchema,
} from './dto/log.dto.js';
import { LogsService } from './logs.service.js';

/** The caller's own usage log. */
@ApiTags('logs')
@Controller('api/log/self')
export class SelfLogsController {
  constructor(private readonly logs: LogsService) {}

  @Get()
  @Access('user')
  @ApiEnvelope(logPageSchema)
  async list(
    @CurrentActor() actor: Actor,
    @Query({ schema: selfLogListQuerySchema }) query: SelfLogListQuery,
    @CallerLanguage() language: Language,
  ): Promise<Page<LogLineView>> {
    return this.logs.listOwn(actor, query, language);
  }

  @Get('search')
  @Access('user')
  @ApiEnvelope(z.array(logLineSchema))
  async search(
    @CurrentActor() actor: Actor,
    @Query({ schema: logSearchQuerySchema }) query: { keyword: string },
    @CallerLanguage() language: Language,
  ): Promise<LogLineView[]> {
    return this.logs.searchOwn(actor, query.keyword, language);
  }
}
