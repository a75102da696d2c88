import { Global, Module } from '@nestjs/common';
import { DatabaseHistory } from './database-history.js';
import { HistoryWatch } from './history-watch.js';
import { StoredHistory } from './stored-history.js';

/** Remembers what was seen of the database, and notices when it is gone. */
@Global()
@Module({ providers: [DatabaseHistory, StoredHistory, HistoryWatch], exports: [HistoryWatch] })
export class HistoryModule {}
