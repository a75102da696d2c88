import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CallerDirectory } from '../../relay-core/ports/caller-directory.js';
import { RefusalNotes } from '../../relay-core/ports/refusal-notes.js';
import { OptionsModule } from '../../base/options/options.module.js';
import { CallerCredentials } from './caller-credentials.js';
import { KeyHolder } from './key-holder.js';
import { StoredCallerDirectory } from './stored-caller-directory.js';
import { TokenKeys } from './token-keys.js';
import { TokenRefusals } from './token-refusals.js';
import { TokenEntity } from './token.entity.js';
import { TokensRepository } from './tokens.repository.js';

/** The relay's side of tokens: who stands behind a key. */
@Module({
  imports: [TypeOrmModule.forFeature([TokenEntity]), OptionsModule],
  providers: [
    TokenKeys,
    CallerCredentials,
    StoredCallerDirectory,
    KeyHolder,
    TokensRepository,
    TokenRefusals,
    { provide: RefusalNotes, useExisting: TokenRefusals },
    { provide: CallerDirectory, useExisting: StoredCallerDirectory },
  ],
  exports: [CallerDirectory, KeyHolder, RefusalNotes],
})
export class CallerDirectoryModule {}
