import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Env } from '../../config/env.js';
import { SignInMethods } from '../accounts/sign-in-methods.js';
import { PasskeysRepository } from './passkeys.repository.js';
import { relyingPartyOf } from './relying-party.js';

/** No browser offers passkeys to it. */
const NO_PAGE = { protocol: 'none', host: '' };

/** Counts passkeys among the ways into an account. */
@Injectable()
export class PasskeySignInMethod implements OnModuleInit {
  constructor(
    private readonly ways: SignInMethods,
    private readonly passkeys: PasskeysRepository,
    private readonly env: Env,
  ) {}

  onModuleInit(): void {
    this.ways.register(async (userId, options, manager) => {
      if (!options['passkey.enabled']) return 0;
      const rows = await this.passkeys.listOf(userId, manager);
      // A passkey of another host name is no way in; without a public address the page decides, which may be any.
      const party = relyingPartyOf([options.ServerAddress, this.env.serverAddress ?? ''], NO_PAGE);
      return rows.filter(({ relyingParty }) => party === null || relyingParty === party.id).length;
    });
  }
}
