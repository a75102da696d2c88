import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiEnvelope } from '../../../common/api/api-envelope.decorator.js';
import { Access } from '../../../base/access/access.js';
import { type ChannelStatisticsQuery, channelStatisticsQuerySchema } from '../dto/channel-health.dto.js';
import { channelLatencySchema, type ChannelLatencyView } from '../dto/channel-latency.dto.js';
import { ChannelLatencyService } from './channel-latency.service.js';

/** Latency of models by channel, against their price. */
@ApiTags('channels')
@Controller('api/channel/latency')
export class ChannelLatencyController {
  constructor(private readonly latency: ChannelLatencyService) {}

  /** Times, speed and price of every model at every channel over a period of at most 366 days, 500 rows at most. */
  @Get()
  @Access('admin')
  @ApiEnvelope(channelLatencySchema)
  read(
    @Query({ schema: channelStatisticsQuerySchema }) query: ChannelStatisticsQuery,
  ): Promise<ChannelLatencyView> {
    return this.latency.read(query);
  }
}
