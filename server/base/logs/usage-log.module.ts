import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CallJournal } from '../../relay-core/ports/call-journal.js';
import { LogRetention } from './log-retention.js';
import { LogWriter } from './log-writer.js';
import { LogsRepository } from './logs.repository.js';
import { StoredCallJournal } from './stored-call-journal.js';
import { LogEntity } from './log.entity.js';
import { LOG_DATA_SOURCE } from '../../infra/database/database.module.js';

/** Writing the usage log: whoever writes lines imports this; the routes that read them are in console/logs. */
@Module({
  imports: [TypeOrmModule.forFeature([LogEntity], LOG_DATA_SOURCE)],
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
