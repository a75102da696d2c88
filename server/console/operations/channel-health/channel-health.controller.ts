import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiEnvelope } from '../../../common/api/api-envelope.decorator.js';
import { pathId } from '../../../common/query.js';
import { Access } from '../../../base/access/access.js';
import {
  channelHealthSchema,
  type ChannelHealthView,
  channelStatisticsSchema,
  type ChannelStatisticsQuery,
  channelStatisticsQuerySchema,
  type ChannelStatisticsView,
} from '../dto/channel-health.dto.js';
import { ChannelCircuits } from './channel-circuits.js';
import { ChannelHealthReporter } from './channel-health-report.js';
import { ChannelStatisticsService } from './channel-statistics.service.js';
import { presentHealth } from './present-channel-health.js';

/** Health of channels: every attempt counts, those of retried calls among them. */
@ApiTags('channels')
@Controller('api/channel/health')
export class ChannelHealthController {
  constructor(
    private readonly reporter: ChannelHealthReporter,
    private readonly circuits: ChannelCircuits,
    private readonly statistics: ChannelStatisticsService,
  ) {}

  /** Attempts, failures and times of every channel in the last 24 hours, by the hour; its newest failure and open circuits. */
  @Get()
  @Access('admin')
  @ApiEnvelope(channelHealthSchema)
  async last24Hours(): Promise<ChannelHealthView> {
    const [report, circuits] = await Promise.all([this.reporter.last24Hours(), this.circuits.list()]);
    return presentHealth(report, circuits);
  }

  /** One channel over a period of at most 366 days: attempts, times, reasons and models. */
  @Get(':id')
  @Access('admin')
  @ApiEnvelope(channelStatisticsSchema)
  ofChannel(
    @Param('id', { schema: pathId() }) id: number,
    @Query({ schema: channelStatisticsQuerySchema }) query: ChannelStatisticsQuery,
  ): Promise<ChannelStatisticsView> {
    return this.statistics.read(id, query);
  }
}
