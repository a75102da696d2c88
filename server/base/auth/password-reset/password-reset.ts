import { randomInt, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../common/errors/domain-error.js';
import type { Language } from '../../../common/language.js';
import { parseMailAddress } from '../../../common/mail-address.js';
import { USER_STATUS } from '../../access/user.codes.js';
import { AccountsService } from '../../users/accounts.service.js';
import { SecurityEmails } from '../../notifications/mail/security-emails.js';
import { actorAndTarget } from '../../audit/actor-and-target.js';
import { AuditLog } from '../../audit/audit-log.js';
import { PasswordHasher } from '../password.js';
import { z } from 'zod';
import { networkOf } from '../../../common/client-network.js';
import { RateLimiter } from '../../../infra/rate-limit/rate-limiter.js';
import { PendingVerifications } from '../../../infra/pending-verifications/pending-verifications.js';
import { digestOf } from '../sessions.service.js';
import { Mailer } from '../../notifications/mail/mailer.js';
import { ServerAddress } from '../../options/server-address.js';
import { MailLimits } from '../verification/mail-limits.js';

export const RESET_LINK_LIFE_MS = 600_000;
const TOKEN_BYTES = 32;
const TRIES = { limit: 20, windowMs: 1_200_000 };

/** Subject of a link. It dies with any change of password, role, status (`authVersion`) or address. */
const linkSchema = z.object({ userId: z.int(), folded: z.string(), authVersion: z.int() });
export type ResetLink = z.infer<typeof linkSchema>;

/** Links for a forgotten password: the newest of an address counts, once, for minutes. Kept under digests of their tokens. */
@Injectable()
export class ResetLinks {
  constructor(
    private readonly steps: PendingVerifications,
    private readonly throttle: RateLimiter,
  ) {}

  /** @param link  account 0 for one that opens nothing. @returns the token; it is not kept */
  async issue(link: ResetLink): Promise<string> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const digest = digestOf(token);
    await this.steps.put(linkKey(digest), link, RESET_LINK_LIFE_MS);
    await this.steps.put(newestKey(link.folded), digest, RESET_LINK_LIFE_MS);
    return token;
  }

  /**
   * Subject of a link; it is not used up.
   * @param folded  the address it was sent to, as given by the caller
   * Fails: DomainError `reset_link_invalid`, `too_many_requests`.
   */
  async open(token: string, folded: string, ip: string): Promise<ResetLink> {
    await this.throttle.admit(`reset:confirm:${networkOf(ip)}`, TRIES);
    const digest = digestOf(token);
    const newest = await this.steps.look(newestKey(folded));
    const link =
      newest === digest ? linkSchema.safeParse(await this.steps.look(linkKey(digest))).data : undefined;
    if (link === undefined || link.folded !== folded || link.userId === 0)
      throw new DomainError('reset_link_invalid');
    return link;
  }

  /** Uses a link up. @returns false when it was: of two at once, one gets it */
  async take(token: string): Promise<boolean> {
    return (await this.steps.take(linkKey(digestOf(token)))) !== undefined;
  }
}

const linkKey = (digest: string): string => `reset:${digest}`;
/** An older link of the same address is void. */
const newestKey = (folded: string): string => `reset-newest:${digestOf(folded)}`;

const PASSWORD_LENGTH = 16;
const PASSWORD_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A password that was just made. */
export interface NewPassword {
  readonly password: string;
  readonly userId: number;
}

/** A new password for who comes by a link. */
@Injectable()
export class PasswordReset {
  constructor(
    private readonly links: ResetLinks,
    private readonly accounts: AccountsService,
    private readonly hasher: PasswordHasher,
    private readonly audit: AuditLog,
    private readonly emails: SecurityEmails,
  ) {}

  /**
   * Gives the account of a link a new password; every login and the system access token end. The link works once.
   * @returns the password, this once, and whose it is
   * Fails: DomainError `reset_link_invalid`, `too_many_requests`, `server_busy`.
   */
  async confirm(
    { email, token }: { readonly email: string; readonly token: string },
    ip: string,
    language: Language,
  ): Promise<NewPassword> {
    const link = await this.links.open(token, parseMailAddress(email)?.folded ?? '', ip);
    const account = await this.accounts.findByMail(link.folded);
    const isSame =
      account !== null &&
      account.id === link.userId &&
      account.authVersion === link.authVersion &&
      account.status === USER_STATUS.active;
    // Taken only now: a wrong address typed beside the right link does not spend it. Of two at once, one gets it.
    if (!isSame || !(await this.links.take(token))) throw new DomainError('reset_link_invalid');
    const password = makePassword();
    const passwordHash = await this.hasher.hash(password);
    await this.accounts.change(account.id, { password: passwordHash }, { endsLogins: true });
    await this.audit.record(null, {
      ...actorAndTarget(account),
      actorName: account.username,
      action: 'user.password_reset',
    });
    this.emails.sendTo(account, 'password', language);
    return { password, userId: account.id };
  }
}

const makePassword = (): string =>
  Array.from({ length: PASSWORD_LENGTH }, () => PASSWORD_ALPHABET[randomInt(PASSWORD_ALPHABET.length)]).join(
    '',
  );

/** The letter for who forgot a password. */
@Injectable()
export class ResetLinkMail {
  constructor(
    private readonly accounts: AccountsService,
    private readonly links: ResetLinks,
    private readonly limits: MailLimits,
    private readonly mailer: Mailer,
    private readonly server: ServerAddress,
  ) {}

  /**
   * Sends a link to the stored address of the account that has this address. The answer is the same when there
   * is none, and the mail leaves after it.
   * Fails: DomainError `mail_required`, `mail_invalid`, `mail_unavailable`, `reset_unavailable`, `mail_too_often`,
   * `too_many_requests`.
   */
  async send(typed: string, ip: string, language: Language): Promise<void> {
    if (typed.trim() === '') throw new DomainError('mail_required');
    const mail = parseMailAddress(typed);
    if (mail === null) throw new DomainError('mail_invalid');
    if (!this.mailer.isSetUp) throw new DomainError('mail_unavailable');
    const page = this.server.page('/reset');
    if (page === null) throw new DomainError('reset_unavailable');
    await this.limits.admit(mail.folded, ip);
    const account = await this.accounts.findByMail(mail.folded);
    const isKnown = account !== null && account.status === USER_STATUS.active;
    // For an unknown address there is the same work to do.
    const userId = isKnown ? account.id : 0;
    const authVersion = isKnown ? account.authVersion : 0;
    const token = await this.links.issue({ userId, folded: mail.folded, authVersion });
    if (!isKnown) return;
    const query = new URLSearchParams({ email: account.email, token }).toString();
    this.mailer.post({
      to: account.email,
      template: 'reset',
      language,
      values: {
        link: `${page}?${query}`,
        minutes: RESET_LINK_LIFE_MS / 60_000,
        username: account.username,
      },
    });
  }
}
