import { Module } from '@nestjs/common';
import { AuthModule } from '../../base/auth/auth.module.js';
import { CallerDirectoryModule } from '../../gateway/tokens/caller-directory.module.js';
import { ChannelNamesModule } from '../../gateway/channels/state/channel-names.module.js';
import { AccountsModule } from '../../base/users/accounts.module.js';
import { LogExportController } from './log-export.controller.js';
import { LogExportService } from './log-export.service.js';
import { LogStatisticsController } from './log-statistics.controller.js';
import { LogStatistics } from './log-statistics.js';
import { ChannelRoutingModule } from '../../gateway/channels/routing/channel-routing.module.js';
import { RelayBasicsModule } from '../../gateway/channels/upstream/relay-basics.module.js';
import { NativeForecastController } from './native-forecast.controller.js';
import { NativeForecaster } from './native-forecast.js';
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
    ChannelRoutingModule,
    RelayBasicsModule,
    LogsModule,
    UsageLogModule,
    CallerDirectoryModule,
  ],
  controllers: [TokenLogController, LogExportController, LogStatisticsController, NativeForecastController],
  providers: [LogExportService, LogStatistics, NativeForecaster, TokenLogService],
})
export class LogReportsModule {}
