import { Module } from '@nestjs/common';
import { CallJournal } from '../../relay-core/ports/call-journal.js';
import { LogRetention } from './log-retention.js';
import { LogWriter } from './log-writer.js';
import { LogsRepository } from './logs.repository.js';
import { StoredCallJournal } from './stored-call-journal.js';

/** Writing the usage log: whoever writes lines imports this; the routes that read them are in modules/logs. */
@Module({
  providers: [
    LogsRepository,
    LogWriter,
    LogRetention,
    StoredCallJournal,
    { provide: CallJournal, useExisting: StoredCallJournal },
  ],
  exports: [LogsRepository, LogWriter, CallJournal],
})
export class UsageLogModule {}
