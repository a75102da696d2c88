import { Module } from '@nestjs/common';
import { AuditLogModule } from '../../base/audit/audit-log.module.js';
import { ChannelNamesModule } from '../../gateway/channels/state/channel-names.module.js';
import { OptionsModule } from '../../base/options/options.module.js';
import { LogDeletion } from './log-deletion.service.js';
import { LogsController } from './logs.controller.js';
import { LogsService } from './logs.service.js';
import { SelfLogsController } from './self-logs.controller.js';
import { UsageLogModule } from '../../base/logs/usage-log.module.js';

@Module({
  imports: [AuditLogModule, ChannelNamesModule, OptionsModule, UsageLogModule],
  controllers: [SelfLogsController, LogsController],
  providers: [LogsService, LogDeletion],
  exports: [LogsService],
})
export class LogsModule {}
