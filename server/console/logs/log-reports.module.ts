import { Module } from '@nestjs/common';
import { AuthModule } from '../../base/auth/auth.module.js';
import { CallerDirectoryModule } from '../../gateway/tokens/caller-directory.module.js';
import { ChannelStorageModule } from '../../gateway/channels/state/channel-storage.module.js';
import { OptionsModule } from '../../base/options/options.module.js';
import { TokenNamesModule } from '../../gateway/tokens/token-names.module.js';
import { LogSuggestions } from './log-suggestions.js';
import { LogSuggestionsController } from './log-suggestions.controller.js';
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

/**
 * The log of one token, the log as a file, its sums and the names for its filters. Apart from the logs module, on which every
 * module that writes lines depends.
 */
@Module({
  imports: [
    AccountsModule,
    AuthModule,
    ChannelNamesModule,
    ChannelRoutingModule,
    ChannelStorageModule,
    RelayBasicsModule,
    LogsModule,
    OptionsModule,
    UsageLogModule,
    CallerDirectoryModule,
    TokenNamesModule,
  ],
  controllers: [
    TokenLogController,
    LogExportController,
    LogStatisticsController,
    LogSuggestionsController,
    NativeForecastController,
  ],
  providers: [LogExportService, LogStatistics, LogSuggestions, NativeForecaster, TokenLogService],
})
export class LogReportsModule {}
