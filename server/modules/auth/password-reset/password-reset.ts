import { randomBytes, randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { DomainError } from '../../../common/errors/domain-error.js';
import type { Language } from '../../../common/language.js';
import { PendingSteps } from '../../../infra/steps/pending-steps.js';
import { Clock } from '../../../relay-core/ports/clock.js';
import { AuditLog } from '../../audit/audit-log.js';
import { networkOf } from '../../../common/client-network.js';
import { PasswordHasher } from '../password.js';
import { digestOf } from '../sessions.service.js';
import { RateLimiter } from '../../../infra/rate-limit/rate-limiter.js';
import { Mailer } from '../../mail/mailer.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { parseMailAddress } from '../../../common/mail-address.js';
import { USER_STATUS } from '../../access/user.codes.js';
import { MailLimits } from '../../verification/mail-limits.js';
import { ServerAddress } from '../../options/server-address.js';

const LINK_LIFE_MS = 600_000;
const TOKEN_BYTES = 32;
const CONFIRMS = { limit: 20, windowMs: 1_200_000 };
const PASSWORD_LENGTH = 16;
const PASSWORD_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** What a link was made for. It dies with any change of password, role, status (`authVersion`) or address. */
const linkSchema = z.object({ userId: z.int(), folded: z.string(), authVersion: z.int() });

/** A forgotten password. */
@Injectable()
export class PasswordReset {
  constructor(
    private readonly accounts: AccountsService,
    private readonly hasher: PasswordHasher,
    private readonly steps: PendingSteps,
    private readonly limits: MailLimits,
    private readonly throttle: RateLimiter,
    private readonly audit: AuditLog,
    private readonly mailer: Mailer,
    private readonly server: ServerAddress,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends a link to the stored address of the account that has this address. The answer is the same when there
   * is none, and the mail leaves after it.
   * Fails: DomainError `mail_required`, `mail_invalid`, `mail_unavailable`, `reset_unavailable`, `mail_too_often`,
   * `too_many_requests`.
   */
  async request(typed: string, ip: string, language: Language): Promise<void> {
    if (typed.trim() === '') throw new DomainError('mail_required');
    const mail = parseMailAddress(typed);
    if (mail === null) throw new DomainError('mail_invalid');
    if (!this.mailer.isSetUp) throw new DomainError('mail_unavailable');
    const page = this.server.page('/reset');
    if (page === null) throw new DomainError('reset_unavailable');
    await this.limits.admit(mail.folded, ip);
    const account = await this.accounts.findByMail(mail.folded);
    const isKnown = account !== null && account.status === USER_STATUS.active;
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    // For an unknown address there is the same work to do.
    const userId = isKnown ? account.id : 0;
    const authVersion = isKnown ? account.authVersion : 0;
    const digest = digestOf(token);
    await this.steps.put(linkKey(digest), { userId, folded: mail.folded, authVersion }, LINK_LIFE_MS);
    await this.steps.put(newestKey(mail.folded), digest, LINK_LIFE_MS);
    if (!isKnown) return;
    const query = new URLSearchParams({ email: account.email, token }).toString();
    this.mailer.post({
      to: account.email,
      template: 'reset',
      language,
      values: {
        link: `${page}?${query}`,
        minutes: LINK_LIFE_MS / 60_000,
        username: account.username,
      },
    });
  }

  /**
   * Gives the account of a link a new password; every login and the system access token end. The link works once.
   * @returns the password, this once
   * Fails: DomainError `reset_link_invalid`, `too_many_requests`, `server_busy`.
   */
  async confirm(typed: string, token: string, ip: string, language: Language): Promise<string> {
    await this.throttle.admit(`reset:confirm:${networkOf(ip)}`, CONFIRMS);
    const digest = digestOf(token);
    const link = await this.openLink(digest, parseMailAddress(typed)?.folded ?? '');
    const account = await this.accounts.findByMail(link.folded);
    const isSame =
      account !== null &&
      account.id === link.userId &&
      account.authVersion === link.authVersion &&
      account.status === USER_STATUS.active;
    // Taken only now: a wrong address typed beside the right link does not spend it. Of two at once, one gets it.
    const taken = isSame ? await this.steps.take(linkKey(digest)) : undefined;
    if (!isSame || taken === undefined) throw new DomainError('reset_link_invalid');
    const password = makePassword();
    const passwordHash = await this.hasher.hash(password);
    await this.accounts.change(account.id, { password: passwordHash }, { endsLogins: true });
    await this.audit.record(null, {
      actorId: account.id,
      actorRole: account.role,
      actorName: account.username,
      action: 'user.password_reset',
      targetType: 'user',
      targetId: account.id,
    });
    this.mailer.post({
      to: account.email,
      template: 'account-changed',
      language,
      values: {
        username: account.username,
        change: 'password',
        at: new Date(this.clock.nowMs()).toISOString(),
      },
    });
    return password;
  }

  private async openLink(digest: string, folded: string): Promise<z.infer<typeof linkSchema>> {
    const newest = await this.steps.look(newestKey(folded));
    const link =
      newest === digest ? linkSchema.safeParse(await this.steps.look(linkKey(digest))).data : undefined;
    if (link === undefined || link.folded !== folded || link.userId === 0)
      throw new DomainError('reset_link_invalid');
    return link;
  }
}

const linkKey = (digest: string): string => `reset:${digest}`;
/** An older link of the same address is void. */
const newestKey = (folded: string): string => `reset-newest:${digestOf(folded)}`;

const makePassword = (): string =>
  Array.from({ length: PASSWORD_LENGTH }, () => PASSWORD_ALPHABET[randomInt(PASSWORD_ALPHABET.length)]).join(
    '',
  );
