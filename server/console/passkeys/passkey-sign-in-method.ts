import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SignInMethods } from '../../base/users/sign-in-methods.js';
import { PasskeyCeremonies } from './passkey-ceremonies.js';
import { PasskeysRepository } from './passkeys.repository.js';

/** Counts passkeys among the ways into an account. */
@Injectable()
export class PasskeySignInMethod implements OnModuleInit {
  constructor(
    private readonly ways: SignInMethods,
    private readonly passkeys: PasskeysRepository,
    private readonly ceremonies: PasskeyCeremonies,
  ) {}

  onModuleInit(): void {
    this.ways.register(async (userId, options, manager) => {
      if (!options['passkey.enabled']) return 0;
      const rows = await this.passkeys.listOf(userId, manager);
      return rows.filter((row) => this.ceremonies.isUsable(row, options)).length;
    });
  }
}
