import { Global, Module } from '@nestjs/common';
import { HistoryWatch } from './history-watch.js';

/** Remembers what was seen of the database, and notices when it is gone. */
@Global()
@Module({ providers: [HistoryWatch], exports: [HistoryWatch] })
export class HistoryModule {}
