import { Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Env } from '../../config/env.js';
import { SecretBox } from '../crypto/secret-box.js';
import { openNamedDatabase } from './open-named-database.js';

/** The data source of the call logs: the main one unless LOG_DATABASE_URL names another database. */
export const LOG_DATA_SOURCE = Symbol('LOG_DATA_SOURCE');

/** Connects at start, migrates, and disconnects after everybody else has finished. */
@Global()
@Module({
  providers: [
    {
      provide: DataSource,
      useFactory: (env: Env, secrets: SecretBox) =>
        openNamedDatabase('DATABASE_URL', env.databaseUrl, { secrets }),
      inject: [Env, SecretBox],
    },
    {
      provide: LOG_DATA_SOURCE,
      useFactory: (env: Env, main: DataSource) =>
        env.logDatabaseUrl === undefined
          ? main
          : openNamedDatabase('LOG_DATABASE_URL', env.logDatabaseUrl, { scope: 'logs' }),
      inject: [Env, DataSource],
    },
  ],
  exports: [DataSource, LOG_DATA_SOURCE],
})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(
    private readonly main: DataSource,
    @Inject(LOG_DATA_SOURCE) private readonly logs: DataSource,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    for (const dataSource of new Set([this.logs, this.main])) {
      if (dataSource.isInitialized) await dataSource.destroy();
    }
  }
}
