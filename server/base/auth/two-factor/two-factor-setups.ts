import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { SecretBox } from '../../../infra/crypto/secret-box.js';
import type { Actor } from '../../access/current-actor.js';
import { OptionsService } from '../../options/options.service.js';
import { makeSecret, otpauthAddress } from './one-time-code.js';
import { assertBySession } from '../step-up.service.js';
import { VerificationTickets } from '../verification-tickets.js';
import type { TwoFactorSetupView } from './dto/two-factor.dto.js';

/** Time between the QR code and the first code of it. */
const SETUP_MS = 10 * 60_000;
const KIND = 'two-factor-setup';

/** Secrets that were shown and are not in use yet. Each belongs to the login it was shown in. */
@Injectable()
export class TwoFactorSetups {
  constructor(
    private readonly tickets: VerificationTickets,
    private readonly secrets: SecretBox,
    private readonly options: OptionsService,
  ) {}

  /** A new secret instead of the one shown before. */
  async begin(actor: Actor): Promise<TwoFactorSetupView> {
    const place = placeOf(actor);
    const secret = await makeSecret();
    await this.tickets.put({ kind: KIND, ticket: place }, this.secrets.seal('totp', place, secret), SETUP_MS);
    const issuer = this.options.values().SystemName;
    return { secret, qr_code_data: await otpauthAddress(issuer, actor.username, secret) };
  }

  /** The secret this login was shown, or null. */
  async look(actor: Actor): Promise<string | null> {
    const place = placeOf(actor);
    const sealed = z.string().safeParse(await this.tickets.look(KIND, place));
    return sealed.success ? this.secrets.open('totp', place, sealed.data) : null;
  }

  async end(actor: Actor): Promise<void> {
    await this.tickets.take(KIND, placeOf(actor));
  }
}

/** Fails: DomainError `session_required`. */
function placeOf(actor: Actor): string {
  assertBySession(actor);
  return `${actor.id}:${actor.sessionDigest}`;
}
