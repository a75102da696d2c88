import { Module } from '@nestjs/common';
import { CallJournal } from '../../relay-core/ports/call-journal.js';
import { AuditLogModule } from '../audit/audit-log.module.js';
import { ChannelNamesModule } from '../channels/state/channel-names.module.js';
import { OptionsModule } from '../options/options.module.js';
import { ChannelHealthController } from './channel-health.controller.js';
import { ChannelHealthReporter } from './channel-health-report.js';
import { LogDeletion } from './log-deletion.service.js';
import { LogRetention } from '../usage-log/log-retention.js';
import { LogWriter } from '../usage-log/log-writer.js';
import { LogsController } from './logs.controller.js';
import { LogsRepository } from '../usage-log/logs.repository.js';
import { LogsService } from './logs.service.js';
import { SelfLogsController } from './self-logs.controller.js';
import { StoredCallJournal } from '../usage-log/stored-call-journal.js';

@Module({
  imports: [AuditLogModule, ChannelNamesModule, OptionsModule],
  controllers: [SelfLogsController, LogsController, ChannelHealthController],
  providers: [
    LogsRepository,
    LogWriter,
    LogsService,
    LogDeletion,
    LogRetention,
    ChannelHealthReporter,
    StoredCallJournal,
    { provide: CallJournal, useExisting: StoredCallJournal },
  ],
  exports: [LogsRepository, LogWriter, LogsService, CallJournal],
})
export class LogsModule {}
