import { Module } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { instancePlace } from '../../common/instance-place.js';
import { Clock } from '../../common/clock.js';
import { Env } from '../../config/env.js';
import { SecretBox } from '../../infra/crypto/secret-box.js';
import { LOG_DATA_SOURCE } from '../../infra/database/database.module.js';
import { BOOT_ID } from '../../infra/ids/boot-id.js';
import { AuditLog } from '../../base/audit/audit-log.js';
import { AuditLogModule } from '../../base/audit/audit-log.module.js';
import { AuthModule } from '../../base/auth/auth.module.js';
import { PasswordHasher } from '../../base/auth/password.js';
import { OptionsModule } from '../../base/options/options.module.js';
import { OptionsService } from '../../base/options/options.service.js';
import { TokenKeys } from '../../gateway/tokens/token-keys.js';
import { RedemptionKeys } from '../redemptions/redemption-keys.js';
import type { ImportHouse } from './import-house.js';
import { ImportEntity } from './import.entity.js';
import { ImportedRowEntity } from './imported-row.entity.js';
import { ImportController } from './runs/import.controller.js';
import { ImportFiles } from './runs/import-files.js';
import { ImportLock } from './runs/import-lock.js';
import { ImportRunEntity } from './runs/import-run.entity.js';
import { ImportRunStore } from './runs/import-run-store.js';
import { ImportUploadEntity } from './runs/import-upload.entity.js';
import { IMPORT_PLACE, ImportUploads } from './runs/import-uploads.js';
import { IMPORT_HOUSE, ImportRunner } from './runs/import-runner.js';
import { ImportState } from './runs/import-state.js';

function importHouse(
  dataSource: DataSource,
  logDataSource: DataSource,
  options: OptionsService,
  audit: AuditLog,
  hasher: PasswordHasher,
  secrets: SecretBox,
  env: Env,
  clock: Clock,
  owner: string,
): ImportHouse {
  return {
    dataSource,
    logDataSource,
    options,
    audit,
    hasher,
    secrets,
    tokenKeys: new TokenKeys(env, secrets),
    redemptionKeys: new RedemptionKeys(env, secrets),
    litellmSecrets: env.litellmSecrets,
    // A source must not learn the environment of the server.
    variables: () => undefined,
    lock: new ImportLock(dataSource, clock, { owner, place: instancePlace(env.port) }),
    nowMs: () => clock.nowMs(),
  };
}

async function openFiles({ dataDir }: Env, clock: Clock): Promise<ImportFiles> {
  const files = new ImportFiles(dataDir, () => clock.nowMs());
  await files.removeOld();
  return files;
}

/** Routes over imports from other gateways. */
@Module({
  imports: [
    TypeOrmModule.forFeature([ImportEntity, ImportedRowEntity, ImportRunEntity, ImportUploadEntity]),
    AuditLogModule,
    AuthModule,
    OptionsModule,
  ],
  controllers: [ImportController],
  providers: [
    {
      provide: IMPORT_HOUSE,
      inject: [
        getDataSourceToken(),
        getDataSourceToken(LOG_DATA_SOURCE),
        OptionsService,
        AuditLog,
        PasswordHasher,
        SecretBox,
        Env,
        Clock,
        BOOT_ID,
      ],
      useFactory: importHouse,
    },
    { provide: ImportFiles, inject: [Env, Clock], useFactory: openFiles },
    { provide: IMPORT_PLACE, inject: [Env], useFactory: ({ port }: Env) => instancePlace(port) },
    ImportRunner,
    ImportUploads,
    ImportRunStore,
    ImportState,
  ],
})
export class ConsoleImportModule {}
