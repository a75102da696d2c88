import { Module } from '@nestjs/common';
import { ChannelNamesModule } from '../channels/channel-names.module.js';
import { ChannelHealthController } from './channel-health.controller.js';
import { ChannelHealthReporter } from './channel-health-report.js';
import { LogStatistics } from './log-statistics.js';
import { LogWriter } from './log-writer.js';
import { LogsController } from './logs.controller.js';
import { LogsRepository } from './logs.repository.js';
import { LogsService } from './logs.service.js';
import { SelfLogsController } from './self-logs.controller.js';

@Module({
  imports: [ChannelNamesModule],
  controllers: [SelfLogsController, LogsController, ChannelHealthController],
  providers: [LogsRepository, LogStatistics, LogWriter, LogsService, ChannelHealthReporter],
  exports: [LogWriter, LogsService],
})
export class LogsModule {}
