import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CallJournal } from '../../relay-core/ports/call-journal.js';
import { EndUserLines } from './end-user-lines.js';
import { FailedCalls } from './failed-calls.js';
import { LastCalls } from './last-calls.js';
import { ChannelStatisticsModule } from '../channel-statistics/channel-statistics.module.js';
import { LogRetention } from './log-retention.js';
import { LogWriter } from './log-writer.js';
import { LogsRepository } from './logs.repository.js';
import { StoredCallJournal } from './stored-call-journal.js';
import { LogTagEntity } from './log-tag.entity.js';
import { LogEntity } from './log.entity.js';
import { LOG_DATA_SOURCE } from '../../infra/database/database.module.js';

/** Writes the usage log. Modules that write lines import it; the routes that read them are in console/logs. */
@Module({
  imports: [ChannelStatisticsModule, TypeOrmModule.forFeature([LogEntity, LogTagEntity], LOG_DATA_SOURCE)],
  providers: [
    EndUserLines,
    FailedCalls,
    LastCalls,
    LogsRepository,
    LogWriter,
    LogRetention,
    StoredCallJournal,
    { provide: CallJournal, useExisting: StoredCallJournal },
  ],
  exports: [EndUserLines, FailedCalls, LastCalls, LogsRepository, LogWriter, CallJournal],
})
export class UsageLogModule {}
