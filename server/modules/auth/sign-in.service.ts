import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DomainError } from '../../common/errors/domain-error.js';
import { AuditLog } from '../audit/audit-log.js';
import { TwoFactorService } from '../two-factor/two-factor.service.js';
import type { Account } from '../accounts/account.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { presentLogin } from '../accounts/present-user.js';
import { USER_STATUS } from '../access/user.codes.js';
import type { UserView } from '../accounts/user-view.js';
import { BehindDatabase } from './behind-database.js';
import { clearLoginTicket, readLoginTicket, writeLoginTicket } from './login-ticket-cookie.js';
import { OwnSessions } from './own-sessions.js';
import type { SignInAnswer } from './sign-in-answer.js';
import type { SignInMethod } from './sessions.service.js';
import { StepTickets } from './step-tickets.js';

/** Time to open the app and type its code. */
const TICKET_MS = 5 * 60_000;
const KIND = 'login';

const ticketSchema = z.object({
  userId: z.int(),
  authVersion: z.int(),
  way: z.enum(['password', 'known-password', 'mail', 'github', 'oidc', 'linuxdo', 'wechat', 'telegram']),
});

/**
 * The last metres of every way of signing in: whoever knows who it is calls `finish`. There is no session before the code of an
 * authenticator app, when the account has one, is right.
 */
@Injectable()
export class SignIn {
  constructor(
    private readonly accounts: AccountsService,
    private readonly twoFactor: TwoFactorService,
    private readonly tickets: StepTickets,
    private readonly sessions: OwnSessions,
    private readonly audit: AuditLog,
    private readonly behind: BehindDatabase,
  ) {}

  /** Signs the browser in, or asks for a code. Fails: DomainError `account_banned`, `database_behind`. */
  async finish(
    account: Account,
    way: SignInMethod,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<SignInAnswer> {
    this.behind.assertMaySignIn();
    if (account.status !== USER_STATUS.active) throw new DomainError('account_banned');
    if (way !== 'passkey' && way !== 'two-factor' && (await this.twoFactor.isEnabled(account.id))) {
      const { id: userId, authVersion } = account;
      const ticket = await this.tickets.issue(KIND, { userId, authVersion, way }, TICKET_MS);
      writeLoginTicket(reply, ticket, TICKET_MS);
      return { require_2fa: true, ticket };
    }
    return this.enter(account, way, {}, request, reply);
  }

  /**
   * The second step. The ticket lasts until its code is right; tries are counted per account.
   * Fails: DomainError `second_step_expired`, `login_failed` for an account banned meanwhile, and as `TwoFactorService.spend`.
   */
  async confirm(
    ticket: string | undefined,
    code: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<UserView> {
    const held = ticket ?? readLoginTicket(request) ?? '';
    const first = ticketSchema.safeParse(await this.tickets.look(KIND, held));
    if (!first.success) throw new DomainError('second_step_expired');
    const { userId, authVersion, way } = first.data;
    const account = await this.accounts.findIdentity(userId);
    if (account === null || account.status !== USER_STATUS.active || account.authVersion !== authVersion)
      throw new DomainError('second_step_expired');
    const used = await this.twoFactor.spend(userId, code).catch(async (error: unknown) => {
      if (error instanceof DomainError && error.code === 'two_factor_code_wrong')
        await this.audit.record(null, { ...ofAccount(account), action: 'login.code_wrong' });
      throw error;
    });
    // Of two right codes at once one gets in; the ticket is no key for another day.
    if ((await this.tickets.take(KIND, held)) === undefined) throw new DomainError('second_step_expired');
    clearLoginTicket(reply);
    return this.enter(account, 'two-factor', { first_step: way, code: used }, request, reply);
  }

  private async enter(
    account: Account,
    way: SignInMethod,
    detail: Readonly<Record<string, string>>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<UserView> {
    await this.audit.record(null, {
      ...ofAccount(account),
      action: 'login.success',
      detail: { way, ...detail },
    });
    await this.sessions.open(account, request, reply, way);
    await this.accounts.recordLogin(account.id);
    return presentLogin(account);
  }
}

const ofAccount = (account: Account) => ({
  actorId: account.id,
  actorRole: account.role,
  actorName: account.username,
  targetType: 'user',
  targetId: account.id,
});
