import { Module } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule, type TypeOrmModuleOptions } from '@nestjs/typeorm';
import type { DataSource, DataSourceOptions } from 'typeorm';
import { Env } from '../../config/env.js';
import { SecretBox } from '../crypto/secret-box.js';
import { openNamedDatabase } from './open-named-database.js';

/** `@InjectDataSource(LOG_DATA_SOURCE)`: where the call logs are, the main one unless LOG_DATABASE_URL names another database. */
export const LOG_DATA_SOURCE = 'logs';

type Open = () => Promise<DataSource>;

/** A refusal to start gives its reason once: nothing is tried again, and no second line is written about it. */
const opening = (open: Open): TypeOrmModuleOptions =>
  ({ open, toRetry: () => false }) as TypeOrmModuleOptions & { readonly open: Open };

const dataSourceFactory = (options?: DataSourceOptions): Promise<DataSource> =>
  (options as unknown as { readonly open: Open }).open();

/** Connects at start, migrates, and disconnects after all other modules have finished. */
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [Env, SecretBox],
      useFactory: (env: Env, secrets: SecretBox) =>
        opening(() => openNamedDatabase('DATABASE_URL', env.databaseUrl, { secrets })),
      dataSourceFactory,
    }),
    TypeOrmModule.forRootAsync({
      name: LOG_DATA_SOURCE,
      inject: [Env, getDataSourceToken()],
      useFactory: (env: Env, main: DataSource) => {
        const { logDatabaseUrl } = env;
        if (logDatabaseUrl === undefined) return opening(async () => main);
        return opening(() => openNamedDatabase('LOG_DATABASE_URL', logDatabaseUrl, { scope: 'logs' }));
      },
      dataSourceFactory,
    }),
  ],
})
export class DatabaseModule {}
