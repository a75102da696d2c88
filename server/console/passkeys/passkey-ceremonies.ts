import { Injectable, Logger } from '@nestjs/common';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { z } from 'zod';
import { DomainError } from '../../common/errors/domain-error.js';
import { Env } from '../../config/env.js';
import { SecretBox } from '../../infra/crypto/secret-box.js';
import { credentialDigestOf } from './credential-digest.js';
import { VerificationTickets } from '../../base/auth/verification-tickets.js';
import type { OptionValues } from '../../base/options/option-catalogue.js';
import { OptionsService } from '../../base/options/options.service.js';
import type { PasskeyAssertion, PasskeyRegistration } from './dto/passkey.dto.js';
import type { PasskeyEntity } from './passkey.entity.js';
import { type Page, type RelyingParty, relyingPartyOf } from './relying-party.js';
import { parseJson } from '../../common/parse-json.js';

const clientDataSchema = z.object({ challenge: z.string().min(16).max(256) });

/** Loaded with the first passkey: the package takes 25 MB of memory. */
const ceremonies = () => import('@simplewebauthn/server');

/** Time a person has for the dialog of the browser. */
const CHALLENGE_MS = 5 * 60_000;
/** Ed25519, ECDSA on P-256, RSA: what every browser and key knows (COSE numbers). */
const ALGORITHMS = [-8, -7, -257];

/** No browser offers passkeys to it. */
const NO_PAGE = { protocol: 'none', host: '' };

/** Purpose of a challenge, which serves no other. `browser` is a digest of the browser's cookie. */
export type Purpose =
  | { readonly kind: 'login'; readonly browser: string }
  | { readonly kind: 'register' | 'verify'; readonly userId: number; readonly sessionDigest: string };

const purposeSchema = z.object({
  relyingParty: z.string(),
  browser: z.string().optional(),
  userId: z.int().optional(),
  sessionDigest: z.string().optional(),
});

export type VerifiedRegistration = Pick<
  PasskeyEntity,
  'credentialId' | 'credentialDigest' | 'publicKey' | 'counter' | 'transports' | 'aaguid' | 'isSynced'
>;

export interface VerifiedUse {
  readonly counter: number;
  readonly isSynced: boolean;
}

/**
 * The two WebAuthn ceremonies, and where they are held. Challenges are random, live for minutes, work once, and only for the login,
 * browser, account and relying party they were made for. Every failure is one refusal; the log holds the reason.
 */
@Injectable()
export class PasskeyCeremonies {
  private readonly logger = new Logger('Passkeys');

  constructor(
    private readonly tickets: VerificationTickets,
    private readonly secrets: SecretBox,
    private readonly options: OptionsService,
    private readonly env: Env,
  ) {}

  /** True when a page may offer passkeys. */
  isOffered(page: Page): boolean {
    return this.options.values()['passkey.enabled'] && this.partyOf(page) !== null;
  }

  /** Relying party of a page. Fails: DomainError `passkey_off`, `passkey_unavailable`. */
  partyAt(page: Page): RelyingParty {
    if (!this.options.values()['passkey.enabled']) throw new DomainError('passkey_off');
    const party = this.partyOf(page);
    if (party === null) throw new DomainError('passkey_unavailable');
    return party;
  }

  /**
   * True when a passkey can open its account: one of another host name cannot. Without a public address the page decides, which may
   * be any.
   */
  isUsable(
    { relyingParty }: Pick<PasskeyEntity, 'relyingParty'>,
    options: Pick<OptionValues, 'ServerAddress'> = this.options.values(),
  ): boolean {
    const party = relyingPartyOf([options.ServerAddress, this.env.serverAddress ?? ''], NO_PAGE);
    return party === null || relyingParty === party.id;
  }

  /** User handle for authenticators: neither the id nor the name of the account can be read from it. base64url of 32 bytes. */
  userHandleOf(userId: number): string {
    return this.secrets.sign('passkey-user', String(userId)).toString('base64url');
  }

  async offerRegistration(
    party: RelyingParty,
    purpose: Purpose & { readonly kind: 'register' },
    person: { readonly username: string; readonly displayName: string },
    known: readonly PasskeyEntity[],
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const { generateRegistrationOptions } = await ceremonies();
    const options = await generateRegistrationOptions({
      rpName: this.options.values().SystemName,
      rpID: party.id,
      userID: Uint8Array.from(Buffer.from(this.userHandleOf(purpose.userId), 'base64url')),
      userName: person.username,
      userDisplayName: person.displayName,
      attestationType: 'none',
      supportedAlgorithmIDs: ALGORITHMS,
      timeout: CHALLENGE_MS,
      excludeCredentials: known.map((passkey) => ({
        id: passkey.credentialId,
        transports: passkey.transports === '' ? undefined : passkey.transports.split(','),
      })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    await this.keep(options.challenge, party, purpose);
    return options;
  }

  /** Fails: DomainError `passkey_refused`. */
  async checkRegistration(
    party: RelyingParty,
    purpose: Purpose & { readonly kind: 'register' },
    credential: PasskeyRegistration['credential'],
  ): Promise<VerifiedRegistration> {
    const expectedChallenge = await this.spendChallenge(credential.response.clientDataJSON, party, purpose);
    const { verifyRegistrationResponse } = await ceremonies();
    const { verified, registrationInfo } = await this.orRefuse(
      verifyRegistrationResponse({
        response: asBrowserSends<RegistrationResponseJSON>(credential),
        expectedChallenge,
        expectedOrigin: [...party.origins],
        expectedRPID: party.id,
        requireUserVerification: true,
        supportedAlgorithmIDs: ALGORITHMS,
      }),
    );
    if (!verified) throw new DomainError('passkey_refused');
    const { credential: made, aaguid, credentialBackedUp, credentialDeviceType } = registrationInfo;
    return {
      credentialId: made.id,
      credentialDigest: credentialDigestOf(made.id),
      publicKey: Buffer.from(made.publicKey).toString('base64url'),
      counter: made.counter,
      transports: cleanTransports(credential.response.transports ?? []),
      aaguid: aaguid.slice(0, 36),
      isSynced: credentialBackedUp || credentialDeviceType === 'multiDevice',
    };
  }

  /** @param allowed  passkeys that may answer; null = whichever the person chooses */
  async offerUse(
    party: RelyingParty,
    purpose: Purpose & { readonly kind: 'login' | 'verify' },
    allowed: readonly PasskeyEntity[] | null,
  ): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { generateAuthenticationOptions } = await ceremonies();
    const options = await generateAuthenticationOptions({
      rpID: party.id,
      timeout: CHALLENGE_MS,
      userVerification: 'required',
      allowCredentials: allowed?.map((passkey) => ({
        id: passkey.credentialId,
        transports: passkey.transports === '' ? undefined : passkey.transports.split(','),
      })),
    });
    await this.keep(options.challenge, party, purpose);
    return options;
  }

  /** Uses a challenge up, before anything is looked at. Fails: DomainError `passkey_refused`. */
  async spendChallenge(clientDataJson: string, party: RelyingParty, purpose: Purpose): Promise<string> {
    const challenge = challengeOf(clientDataJson);
    const kept =
      challenge === null ? undefined : await this.tickets.take(`passkey-${purpose.kind}`, challenge);
    const parsed = purposeSchema.safeParse(kept);
    const isMeant =
      parsed.success &&
      parsed.data.relyingParty === party.id &&
      (purpose.kind === 'login'
        ? parsed.data.browser === purpose.browser
        : parsed.data.userId === purpose.userId && parsed.data.sessionDigest === purpose.sessionDigest);
    if (challenge === null || !isMeant) throw new DomainError('passkey_refused');
    return challenge;
  }

  /**
   * Checks that this passkey signed this challenge on a page of ours, with its owner present.
   * Fails: DomainError `passkey_refused`.
   */
  async checkUse(
    party: RelyingParty,
    challenge: string,
    passkey: PasskeyEntity,
    credential: PasskeyAssertion['credential'],
  ): Promise<VerifiedUse> {
    const { verifyAuthenticationResponse } = await ceremonies();
    const { verified, authenticationInfo } = await this.orRefuse(
      verifyAuthenticationResponse({
        response: asBrowserSends<AuthenticationResponseJSON>(credential),
        expectedChallenge: challenge,
        expectedOrigin: [...party.origins],
        expectedRPID: party.id,
        requireUserVerification: true,
        credential: {
          id: passkey.credentialId,
          publicKey: Uint8Array.from(Buffer.from(passkey.publicKey, 'base64url')),
          // The growth of the counter is checked when it is written, so that two uses at once cannot both pass.
          counter: 0,
        },
      }),
    );
    if (!verified) throw new DomainError('passkey_refused');
    return {
      counter: authenticationInfo.newCounter,
      isSynced:
        authenticationInfo.credentialBackedUp || authenticationInfo.credentialDeviceType === 'multiDevice',
    };
  }

  private partyOf(page: Page): RelyingParty | null {
    const addresses = [this.options.values().ServerAddress, this.env.serverAddress ?? ''];
    return relyingPartyOf(addresses, page);
  }

  private async keep(challenge: string, party: RelyingParty, purpose: Purpose): Promise<void> {
    const { kind, ...whose } = purpose;
    const place = { kind: `passkey-${kind}`, ticket: challenge };
    await this.tickets.put(place, { relyingParty: party.id, ...whose }, CHALLENGE_MS);
  }

  /** The library throws for any mismatch; the browser does not see the reason. */
  private async orRefuse<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      this.logger.log(`refused a passkey: ${error instanceof Error ? error.message : String(error)}`);
      throw new DomainError('passkey_refused');
    }
  }
}

/** Checked by its schema; the library wants members absent that browsers send as null. */
function asBrowserSends<T>(credential: object): T {
  return JSON.parse(JSON.stringify(credential, (_, value: unknown) => value ?? undefined)) as T;
}

const KNOWN_TRANSPORTS: ReadonlySet<string> = new Set([
  'ble',
  'cable',
  'hybrid',
  'internal',
  'nfc',
  'smart-card',
  'usb',
]);

const cleanTransports = (transports: readonly string[]): string =>
  transports.filter((transport) => KNOWN_TRANSPORTS.has(transport)).join(',');

/**
 * The challenge named in a browser's answer, or null when the text is not what browsers send. Only a name to look it up by: whether
 * it was signed is checked afterwards.
 * @param clientDataJson  base64url
 */
export function challengeOf(clientDataJson: string): string | null {
  const text = Buffer.from(clientDataJson, 'base64url').toString('utf8');
  return clientDataSchema.safeParse(parseJson(text)).data?.challenge ?? null;
}
