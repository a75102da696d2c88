import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import { cleanLine, lengthOf } from '../../common/text.js';
import { Env } from '../../config/env.js';
import { isDuplicateKey, runInTransaction } from '../../infra/database/run-in-transaction.js';
import { Clock } from '../../relay-core/ports/clock.js';
import { AuditLog } from '../audit/audit-log.js';
import type { Actor } from '../access/current-actor.js';
import { assertBySession, StepUpAuth } from '../auth/step-up.service.js';
import { IDENTITY_PROVIDERS, isProviderOn, PROVIDER_FACTS } from '../identities/identity-provider.js';
import { OptionsService } from '../options/options.service.js';
import type { Account } from '../accounts/account.js';
import { SecurityEmails } from '../accounts/security-emails.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { SignInMethods } from '../accounts/sign-in-methods.js';
import type {
  PasskeyAssertion,
  PasskeyBegin,
  PasskeyListView,
  PasskeyCreationView,
  PasskeyRequestView,
  PasskeyRegistration,
} from './dto/passkey.dto.js';
import { credentialDigestOf, PasskeyCeremonies } from './passkey-ceremonies.js';
import type { PasskeyEntity } from './passkey.entity.js';
import { PasskeysRepository } from './passkeys.repository.js';
import { presentPasskey } from './present-passkey.js';
import { type RelyingParty, relyingPartyOf } from './relying-party.js';

const MAX_PASSKEYS = 20;
const MAX_NAME = 64;

/** The page a request came from. */
export interface Page {
  readonly protocol: string;
  readonly host: string;
}

/** Passkeys: adding, naming, removing, and being signed in by one. */
@Injectable()
export class PasskeysService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly passkeys: PasskeysRepository,
    private readonly ceremonies: PasskeyCeremonies,
    private readonly accounts: AccountsService,
    private readonly ways: SignInMethods,
    private readonly proofs: StepUpAuth,
    private readonly options: OptionsService,
    private readonly audit: AuditLog,
    private readonly letters: SecurityEmails,
    private readonly env: Env,
    private readonly clock: Clock,
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

  async list(actor: Actor, page: Page): Promise<PasskeyListView> {
    const rows = await this.passkeys.listOf(actor.id);
    return {
      enabled: rows.length > 0,
      available: this.isOn() && this.partyOf(page) !== null,
      items: rows.map(presentPasskey),
    };
  }

  /** Fails: DomainError `passkey_off`, `passkey_unavailable`, `passkey_limit`, and as `Proofs.demandUnlessFresh`. */
  async beginRegistration(
    actor: Actor,
    proof: PasskeyBegin,
    page: Page,
    ip: string,
  ): Promise<PasskeyCreationView> {
    assertBySession(actor);
    const party = this.partyOrRefuse(page);
    await this.proofs.demandUnlessFresh(actor, proof, ip);
    const known = await this.passkeys.listOf(actor.id);
    assertRoom(known.length);
    const account = await this.accounts.findIdentity(actor.id);
    const options = await this.ceremonies.offerRegistration(
      party,
      { kind: 'register', userId: actor.id, sessionDigest: actor.sessionDigest },
      {
        username: actor.username,
        displayName: account?.displayName ?? '',
        systemName: this.options.values().SystemName,
      },
      known.filter(({ relyingParty }) => relyingParty === party.id),
    );
    return { options };
  }

  /** Fails: DomainError `passkey_refused`, `passkey_known`, `passkey_limit`, `passkey_name_invalid`. */
  async finishRegistration(actor: Actor, input: PasskeyRegistration, page: Page): Promise<void> {
    assertBySession(actor);
    const party = this.partyOrRefuse(page);
    const { sessionDigest } = actor;
    const made = await this.ceremonies.checkRegistration(
      party,
      { kind: 'register', userId: actor.id, sessionDigest },
      input.credential,
    );
    await runInTransaction(this.dataSource, async (manager) => {
      // The account's lock: two additions at once cannot both be the last that fits.
      await this.accounts.lock(manager, actor.id);
      const known = await this.passkeys.listOf(actor.id, manager);
      assertRoom(known.length);
      const name = input.name.trim() === '' ? `Passkey ${known.length + 1}` : checkName(input.name);
      await this.passkeys.insert(manager, {
        ...made,
        userId: actor.id,
        relyingParty: party.id,
        name,
        createdAtMs: this.clock.nowMs(),
        lastUsedAtMs: 0,
      });
      await this.audit.record(manager, {
        ...ofUser(actor, actor.id),
        action: 'passkey.add',
        detail: { name },
      });
    }).catch((error: unknown) => {
      if (isDuplicateKey(error)) throw new DomainError('passkey_known');
      throw error;
    });
    this.letters.tell(actor.id, 'passkey-added');
  }

  /** Fails: DomainError `session_required`, `passkey_name_invalid`, `not_found`. */
  async rename(actor: Actor, id: number, name: string): Promise<void> {
    assertBySession(actor);
    if (!(await this.passkeys.rename(actor.id, id, checkName(name)))) throw new DomainError('not_found');
  }

  /** Fails: DomainError `session_required`, `not_found`, `passkey_last_way` when nothing else opens the account. */
  async remove(actor: Actor, id: number): Promise<void> {
    assertBySession(actor);
    const password = await this.accounts.passwordOf(actor.id);
    await runInTransaction(this.dataSource, async (manager) => {
      const user = await this.accounts.lock(manager, actor.id);
      const options = this.options.values();
      const hasOther =
        (password !== '' && options.PasswordLoginEnabled) ||
        IDENTITY_PROVIDERS.some(
          (provider) => isProviderOn(options, provider) && user[PROVIDER_FACTS[provider].column] !== null,
        );
      const rows = await this.passkeys.listOf(actor.id, manager);
      const removed = rows.find((row) => row.id === id);
      if (removed === undefined) throw new DomainError('not_found');
      if (!hasOther && rows.length === 1) throw new DomainError('passkey_last_way');
      await this.passkeys.delete(manager, actor.id, id);
      const { name } = removed;
      await this.audit.record(manager, {
        ...ofUser(actor, actor.id),
        action: 'passkey.remove',
        detail: { name },
      });
    });
    this.letters.tell(actor.id, 'passkey-removed');
  }

  /** Fails: DomainError `passkey_off`, `passkey_unavailable`. */
  async beginLogin(page: Page): Promise<PasskeyRequestView> {
    const options = await this.ceremonies.offerUse(this.partyOrRefuse(page), { kind: 'login' }, null);
    return { options };
  }

  /**
   * Who signs in. The person says nothing: the passkey names its account.
   * Fails: DomainError `passkey_refused`, `passkey_off`, `passkey_unavailable`.
   */
  async finishLogin(input: PasskeyAssertion, page: Page): Promise<Account> {
    const party = this.partyOrRefuse(page);
    const { credential } = input;
    const challenge = await this.ceremonies.spendChallenge(credential.response.clientDataJSON, party, {
      kind: 'login',
    });
    const passkey = await this.passkeys.findByCredential(credentialDigestOf(credential.id));
    // Without a handle the authenticator was asked for this very passkey by somebody else's page.
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
    const party = this.partyOrRefuse(page);
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
    const party = this.partyOrRefuse(page);
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

  countOf(userId: number): Promise<number> {
    return this.passkeys.countOf(userId);
  }

  /** Removes all passkeys of an account; whoever calls has checked that the actor may. @returns how many there were */
  async removeAll(actor: { readonly id: number; readonly role: number }, userId: number): Promise<number> {
    return runInTransaction(this.dataSource, async (manager) => {
      const count = await this.passkeys.deleteAllOf(manager, userId);
      await this.audit.record(manager, {
        ...ofUser(actor, userId),
        action: 'passkey.reset',
        detail: { count },
      });
      return count;
    });
  }

  private async use(
    party: RelyingParty,
    challenge: string,
    passkey: PasskeyEntity,
    credential: PasskeyAssertion['credential'],
  ): Promise<void> {
    if (passkey.relyingParty !== party.id) throw new DomainError('passkey_refused');
    const use = await this.ceremonies.checkUse(party, challenge, passkey, credential);
    if (await this.passkeys.recordUse(passkey.id, { ...use, nowMs: this.clock.nowMs() })) return;
    // A right signature with a count that was seen before: there are two of this passkey.
    await this.audit.record(null, {
      ...ofUser({ id: 0, role: 0 }, passkey.userId),
      action: 'passkey.counter_fell',
      detail: { passkey_id: passkey.id, known: passkey.counter, given: use.counter },
    });
    throw new DomainError('passkey_refused');
  }

  private isOn(): boolean {
    return this.options.values()['passkey.enabled'];
  }

  private partyOf(page: Page): RelyingParty | null {
    const addresses = [this.options.values().ServerAddress, this.env.serverAddress ?? ''];
    return relyingPartyOf(addresses, page);
  }

  private partyOrRefuse(page: Page): RelyingParty {
    if (!this.isOn()) throw new DomainError('passkey_off');
    const party = this.partyOf(page);
    if (party === null) throw new DomainError('passkey_unavailable');
    return party;
  }
}

/** No browser offers passkeys to it. */
const NO_PAGE = { protocol: 'none', host: '' };

function assertRoom(count: number): void {
  if (count >= MAX_PASSKEYS) throw new DomainError('passkey_limit', { max: MAX_PASSKEYS });
}

function checkName(name: string): string {
  const clean = cleanLine(name);
  if (clean === '' || lengthOf(clean) > MAX_NAME)
    throw new DomainError('passkey_name_invalid', { max: MAX_NAME });
  return clean;
}

const ofUser = (actor: { readonly id: number; readonly role: number }, userId: number) => ({
  actorId: actor.id,
  actorRole: actor.role,
  targetType: 'user',
  targetId: userId,
});
