import { Module } from '@nestjs/common';
import { AuthModule } from '../../base/auth/auth.module.js';
import { CallerDirectoryModule } from '../../gateway/tokens/caller-directory.module.js';
import { ChannelNamesModule } from '../../gateway/channels/state/channel-names.module.js';
import { AccountsModule } from '../../base/users/accounts.module.js';
import { LogExportController } from './log-export.controller.js';
import { LogExportService } from './log-export.service.js';
import { LogStatisticsController } from './log-statistics.controller.js';
import { LogStatistics } from './log-statistics.js';
import { UsageLogModule } from '../../base/logs/usage-log.module.js';
import { LogsModule } from './logs.module.js';
import { TokenLogController } from './token-log.controller.js';
import { TokenLogService } from './token-log.service.js';

/** The log of one token, the log as a file and sums of it, apart from the logs module, which everybody who writes a line depends on. */
@Module({
  imports: [
    AccountsModule,
    AuthModule,
    ChannelNamesModule,
    LogsModule,
    UsageLogModule,
    CallerDirectoryModule,
  ],
  controllers: [TokenLogController, LogExportController, LogStatisticsController],
  providers: [LogExportService, LogStatistics, TokenLogService],
})
export class LogReportsModule {}
