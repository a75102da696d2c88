import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { Access } from '../../base/access/access.js';
import { type Actor, CurrentActor } from '../../base/access/current-actor.js';
import {
  type LogStatQuery,
  logStatQuerySchema,
  logStatSchema,
  type LogStatView,
  type SelfLogStatQuery,
  selfLogStatQuerySchema,
} from './dto/log.dto.js';
import { toLogFilter } from './log-filter.js';
import { LogStatistics } from './log-statistics.js';

/** Sums over the usage log. The filters are those of the lists. */
@ApiTags('logs')
@Controller('api/log')
export class LogStatisticsController {
  constructor(private readonly statistics: LogStatistics) {}

  /** Sums over the lines of all accounts. */
  @Get('stat')
  @Access('admin')
  @ApiEnvelope(logStatSchema)
  async all(
    @CurrentActor() actor: Actor,
    @Query({ schema: logStatQuerySchema }) query: LogStatQuery,
  ): Promise<LogStatView> {
    return this.statistics.of(actor.id, toLogFilter(query));
  }

  /** Sums over the caller's own lines: by account, so that a former name of another account shows none of its lines. */
  @Get('self/stat')
  @Access('user')
  @ApiEnvelope(logStatSchema)
  async own(
    @CurrentActor() actor: Actor,
    @Query({ schema: selfLogStatQuerySchema }) query: SelfLogStatQuery,
  ): Promise<LogStatView> {
    return this.statistics.of(actor.id, toLogFilter(query, actor.id));
  }
}
