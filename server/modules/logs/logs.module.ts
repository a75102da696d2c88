import { Module } from '@nestjs/common';
import { CallJournal } from '../../relay-core/ports/call-journal.js';
import { AuditLogModule } from '../audit/audit-log.module.js';
import { ChannelNamesModule } from '../channels/channel-names.module.js';
import { ChannelHealthController } from './channel-health.controller.js';
import { ChannelHealthReporter } from './channel-health-report.js';
import { LogStatistics } from './log-statistics.js';
import { LogWriter } from './log-writer.js';
import { LogsController } from './logs.controller.js';
import { LogsRepository } from './logs.repository.js';
import { LogsService } from './logs.service.js';
import { SelfLogsController } from './self-logs.controller.js';
import { StoredCallJournal } from './stored-call-journal.js';

@Module({
  imports: [AuditLogModule, ChannelNamesModule],
  controllers: [SelfLogsController, LogsController, ChannelHealthController],
  providers: [
    LogsRepository,
    LogStatistics,
    LogWriter,
    LogsService,
    ChannelHealthReporter,
    StoredCallJournal,
    { provide: CallJournal, useExisting: StoredCallJournal },
  ],
  exports: [LogWriter, LogsService, CallJournal],
})
export class LogsModule {}
