import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { CallerDirectoryModule } from '../tokens/caller-directory.module.js';
import { ChannelNamesModule } from '../channels/channel-names.module.js';
import { LogExportController } from './log-export.controller.js';
import { LogExportService } from './log-export.service.js';
import { LogsModule } from './logs.module.js';
import { TokenLogController } from './token-log.controller.js';

/** The log of one token and the log as a file, apart from the logs module, which everybody who writes a line depends on. */
@Module({
  imports: [AuthModule, ChannelNamesModule, LogsModule, CallerDirectoryModule],
  controllers: [TokenLogController, LogExportController],
  providers: [LogExportService],
})
export class TokenLogModule {}
