import { Module } from '@nestjs/common';
import { CallerDirectory } from '../../relay-core/ports/caller-directory.js';
import { OptionsModule } from '../../base/options/options.module.js';
import { KeyHolder } from './key-holder.js';
import { StoredCallerDirectory } from './stored-caller-directory.js';
import { TokenKeys } from './token-keys.js';

/** The relay's side of tokens: who stands behind a key. */
@Module({
  imports: [OptionsModule],
  providers: [
    TokenKeys,
    StoredCallerDirectory,
    KeyHolder,
    { provide: CallerDirectory, useExisting: StoredCallerDirectory },
  ],
  exports: [CallerDirectory, KeyHolder],
})
export class CallerDirectoryModule {}
