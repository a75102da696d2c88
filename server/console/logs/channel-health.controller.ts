import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { Access } from '../../base/access/access.js';
import { ChannelHealthReporter, HEALTH_BUCKET_SECONDS } from './channel-health-report.js';
import { channelHealthSchema, type ChannelHealthView } from './dto/channel-health.dto.js';

@ApiTags('channels')
@Controller('api/channel/health')
export class ChannelHealthController {
  constructor(private readonly reporter: ChannelHealthReporter) {}

  /** Calls, failures and latency of every channel in the last 24 hours, by the hour. */
  @Get()
  @Access('admin')
  @ApiEnvelope(channelHealthSchema)
  async last24Hours(): Promise<ChannelHealthView> {
    const report = await this.reporter.last24Hours();
    return {
      since: report.since,
      bucket_seconds: HEALTH_BUCKET_SECONDS,
      channels: report.lines.map((line) => ({
        channel_id: line.channelId,
        success: [...line.success],
        errors: [...line.errors],
        median_seconds: [...line.medianSeconds],
      })),
    };
  }
}
