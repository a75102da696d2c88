import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { isDuplicateKey } from '../../infra/database/run-in-transaction.js';
import type { Actor } from '../../base/access/current-actor.js';
import { AccountsService } from '../../base/users/accounts.service.js';
import { SignInMethodChanges } from '../../base/auth/sign-in-method-changes.js';
import { assertBySession, StepUpAuth } from '../../base/auth/step-up.service.js';
import type { PasskeyBegin, PasskeyCreationView, PasskeyRegistration } from './dto/passkey.dto.js';
import { PasskeyCeremonies } from './passkey-ceremonies.js';
import { passkeyNameOf } from './passkey-name.js';
import { PasskeysRepository } from './passkeys.repository.js';
import type { Page } from './relying-party.js';

const MAX_PASSKEYS = 20;

/** A further passkey of the own account. */
@Injectable()
export class PasskeyRegistrations {
  constructor(
    private readonly passkeys: PasskeysRepository,
    private readonly ceremonies: PasskeyCeremonies,
    private readonly accounts: AccountsService,
    private readonly proofs: StepUpAuth,
    private readonly changes: SignInMethodChanges,
  ) {}

  /** Fails: DomainError `passkey_off`, `passkey_unavailable`, `passkey_limit`, and as `StepUpAuth.requireUnlessFresh`. */
  async begin(actor: Actor, proof: PasskeyBegin, page: Page, ip: string): Promise<PasskeyCreationView> {
    assertBySession(actor);
    const party = this.ceremonies.partyAt(page);
    await this.proofs.requireUnlessFresh(actor, proof, ip);
    const known = await this.passkeys.listOf(actor.id);
    assertRoom(known.length);
    const account = await this.accounts.findIdentity(actor.id);
    const options = await this.ceremonies.offerRegistration(
      party,
      { kind: 'register', userId: actor.id, sessionDigest: actor.sessionDigest },
      { username: actor.username, displayName: account?.displayName ?? '' },
      known.filter(({ relyingParty }) => relyingParty === party.id),
    );
    return { options };
  }

  /** Fails: DomainError `passkey_refused`, `passkey_known`, `passkey_limit`, `passkey_name_invalid`. */
  async finish(actor: Actor, input: PasskeyRegistration, page: Page): Promise<void> {
    assertBySession(actor);
    const party = this.ceremonies.partyAt(page);
    const { sessionDigest } = actor;
    const made = await this.ceremonies.checkRegistration(
      party,
      { kind: 'register', userId: actor.id, sessionDigest },
      input.credential,
    );
    await this.changes
      // Under the account's lock: two additions at once cannot both be the last that fits.
      .change(actor, 'passkey-added', async (manager) => {
        const known = await this.passkeys.listOf(actor.id, manager);
        assertRoom(known.length);
        const name = input.name.trim() === '' ? `Passkey ${known.length + 1}` : passkeyNameOf(input.name);
        await this.passkeys.insert(manager, { ...made, userId: actor.id, relyingParty: party.id, name });
        return { action: 'passkey.add', detail: { name } };
      })
      .catch((error: unknown) => {
        if (isDuplicateKey(error)) throw new DomainError('passkey_known');
        throw error;
      });
  }
}

function assertRoom(count: number): void {
  if (count >= MAX_PASSKEYS) throw new DomainError('passkey_limit', { max: MAX_PASSKEYS });
}
