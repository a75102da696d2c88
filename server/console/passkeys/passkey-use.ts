import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import type { Actor } from '../../base/access/current-actor.js';
import type { Account } from '../../base/users/account.js';
import { AccountsService } from '../../base/users/accounts.service.js';
import { actorAndTarget } from '../../base/audit/actor-and-target.js';
import { AuditLog } from '../../base/audit/audit-log.js';
import { assertBySession, StepUpAuth } from '../../base/auth/step-up.service.js';
import { digestOf } from '../../base/auth/sessions.service.js';
import type { PasskeyAssertion, PasskeyRequestView } from './dto/passkey.dto.js';
import { credentialDigestOf } from './credential-digest.js';
import { PasskeyCeremonies } from './passkey-ceremonies.js';
import type { PasskeyEntity } from './passkey.entity.js';
import { PasskeysRepository } from './passkeys.repository.js';
import type { Page, RelyingParty } from './relying-party.js';

/** Signs in by a passkey, and proves with one that its owner is present. */
@Injectable()
export class PasskeyUse {
  constructor(
    private readonly passkeys: PasskeysRepository,
    private readonly ceremonies: PasskeyCeremonies,
    private readonly accounts: AccountsService,
    private readonly proofs: StepUpAuth,
    private readonly audit: AuditLog,
  ) {}

  /** @param browser  id of the browser, which has to finish it. Fails: DomainError `passkey_off`, `passkey_unavailable`. */
  async beginLogin(page: Page, browser: string): Promise<PasskeyRequestView> {
    const purpose = { kind: 'login', browser: digestOf(browser) } as const;
    const options = await this.ceremonies.offerUse(this.ceremonies.partyAt(page), purpose, null);
    return { options };
  }

  /**
   * Finishes a sign-in. The user types no name: the passkey names its account.
   * Fails: DomainError `passkey_refused`, `passkey_off`, `passkey_unavailable`.
   */
  async finishLogin(input: PasskeyAssertion, page: Page, browser: string | null): Promise<Account> {
    if (browser === null) throw new DomainError('passkey_refused');
    const party = this.ceremonies.partyAt(page);
    const { credential } = input;
    const challenge = await this.ceremonies.spendChallenge(credential.response.clientDataJSON, party, {
      kind: 'login',
      browser: digestOf(browser),
    });
    const passkey = await this.passkeys.findByCredential(credentialDigestOf(credential.id));
    // Without a handle another site's page requested this very passkey from the authenticator.
    const handle = passkey === null ? '' : this.ceremonies.userHandleOf(passkey.userId);
    if (passkey === null || credential.response.userHandle !== handle)
      throw new DomainError('passkey_refused');
    await this.use(party, challenge, passkey, credential);
    const account = await this.accounts.findIdentity(passkey.userId);
    if (account === null) throw new DomainError('passkey_refused');
    return account;
  }

  /** Fails: DomainError `session_required`, `passkey_off`, `passkey_unavailable`. */
  async beginProof(actor: Actor, page: Page): Promise<PasskeyRequestView> {
    assertBySession(actor);
    const party = this.ceremonies.partyAt(page);
    const known = (await this.passkeys.listOf(actor.id)).filter(
      ({ relyingParty }) => relyingParty === party.id,
    );
    const purpose = { kind: 'verify', userId: actor.id, sessionDigest: actor.sessionDigest } as const;
    const options = await this.ceremonies.offerUse(party, purpose, known);
    return { options };
  }

  /** The person at the keyboard is the owner of the account. Fails: DomainError `passkey_refused`. */
  async finishProof(actor: Actor, input: PasskeyAssertion, page: Page): Promise<void> {
    assertBySession(actor);
    const party = this.ceremonies.partyAt(page);
    const { credential } = input;
    const challenge = await this.ceremonies.spendChallenge(credential.response.clientDataJSON, party, {
      kind: 'verify',
      userId: actor.id,
      sessionDigest: actor.sessionDigest,
    });
    const passkey = await this.passkeys.findByCredential(credentialDigestOf(credential.id));
    if (passkey === null || passkey.userId !== actor.id) throw new DomainError('passkey_refused');
    await this.use(party, challenge, passkey, credential);
    await this.proofs.renew(actor);
  }

  private async use(
    party: RelyingParty,
    challenge: string,
    passkey: PasskeyEntity,
    credential: PasskeyAssertion['credential'],
  ): Promise<void> {
    if (passkey.relyingParty !== party.id) throw new DomainError('passkey_refused');
    const use = await this.ceremonies.checkUse(party, challenge, passkey, credential);
    if (await this.passkeys.recordUse(passkey.id, use)) return;
    // A right signature with a count that was seen before: there are two of this passkey.
    await this.audit.record(null, {
      ...actorAndTarget({ id: 0, role: 0 }, passkey.userId),
      action: 'passkey.counter_fell',
      detail: { passkey_id: passkey.id, known: passkey.counter, given: use.counter },
    });
    throw new DomainError('passkey_refused');
  }
}
