import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import type { Actor } from '../../base/access/current-actor.js';
import { AccountsService } from '../../base/users/accounts.service.js';
import { SignInMethodChanges } from '../../base/auth/sign-in-method-changes.js';
import { assertBySession } from '../../base/auth/step-up.service.js';
import { hasIdentityWay } from '../identities/identity-provider.js';
import { OptionsService } from '../../base/options/options.service.js';
import type { PasskeyListView, PasskeyView } from './dto/passkey.dto.js';
import type { PasskeyEntity } from './passkey.entity.js';
import { PasskeyCeremonies } from './passkey-ceremonies.js';
import { passkeyNameOf } from './passkey-name.js';
import { PasskeysRepository } from './passkeys.repository.js';
import type { Page } from './relying-party.js';

/** The passkeys an account has: listed, named and removed by its owner. */
@Injectable()
export class OwnPasskeys {
  constructor(
    private readonly passkeys: PasskeysRepository,
    private readonly ceremonies: PasskeyCeremonies,
    private readonly accounts: AccountsService,
    private readonly changes: SignInMethodChanges,
    private readonly options: OptionsService,
  ) {}

  async list(actor: Actor, page: Page): Promise<PasskeyListView> {
    const rows = await this.passkeys.listOf(actor.id);
    const available = this.ceremonies.isOffered(page);
    return { enabled: rows.length > 0, available, items: rows.map(presentPasskey) };
  }

  /** Fails: DomainError `session_required`, `passkey_name_invalid`, `not_found`. */
  async rename(actor: Actor, id: number, name: string): Promise<void> {
    assertBySession(actor);
    if (!(await this.passkeys.rename(actor.id, id, passkeyNameOf(name)))) throw new DomainError('not_found');
  }

  /** Fails: DomainError `session_required`, `not_found`, `passkey_last_way` when nothing else opens the account. */
  async remove(actor: Actor, id: number): Promise<void> {
    assertBySession(actor);
    const password = await this.accounts.passwordOf(actor.id);
    await this.changes.change(actor, 'passkey-removed', async (manager, user) => {
      const options = this.options.values();
      const hasOther = (password !== '' && options.PasswordLoginEnabled) || hasIdentityWay(options, user);
      const rows = await this.passkeys.listOf(actor.id, manager);
      const removed = rows.find((row) => row.id === id);
      if (removed === undefined) throw new DomainError('not_found');
      const isLast = !rows.some((row) => row.id !== id && this.ceremonies.isUsable(row));
      if (!hasOther && isLast) throw new DomainError('passkey_last_way');
      await this.passkeys.delete(manager, actor.id, id);
      return { action: 'passkey.remove', detail: { name: removed.name } };
    });
  }
}

/** A passkey as its owner sees it: no keys, no credential id. */
const presentPasskey = (row: PasskeyEntity): PasskeyView => ({
  id: row.id,
  name: row.name,
  created_at: Math.floor(row.createdAtMs / 1000),
  last_used_at: Math.floor(row.lastUsedAtMs / 1000),
  synced: row.isSynced,
});
