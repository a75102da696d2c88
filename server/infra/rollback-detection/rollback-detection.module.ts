import { Global, Module } from '@nestjs/common';
import { DatabaseHistory } from './database-history.js';
import { RollbackWatch } from './rollback-watch.js';
import { StoredHistory } from './stored-history.js';

/** Remembers what was seen of the database, and notices when it is gone. */
@Global()
@Module({ providers: [DatabaseHistory, StoredHistory, RollbackWatch], exports: [RollbackWatch] })
export class RollbackDetectionModule {}
