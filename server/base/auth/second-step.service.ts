import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DomainError } from '../../common/errors/domain-error.js';
import { hostCookieAttributes, hostCookieName, readSignedCookie } from '../../common/api/signed-cookie.js';
import { IDENTITY_PROVIDERS } from '../access/identity-providers.js';
import { USER_STATUS } from '../access/user.codes.js';
import type { Account } from '../users/account.js';
import { AccountsService } from '../users/accounts.service.js';
import { actorAndTarget } from '../audit/actor-and-target.js';
import { AuditLog } from '../audit/audit-log.js';
import { TwoFactorService } from './two-factor/two-factor.service.js';
import type { SecondStepInput } from './dto/login.dto.js';
import type { SignInAnswer } from './sign-in-answer.js';
import { VerificationTickets } from './verification-tickets.js';

/** Time to open the app and type its code. */
const TICKET_MS = 5 * 60_000;
const KIND = 'login';

/** Holds the ticket as well: it belongs to the browser that began, and clients of this API family send the code alone. */
const COOKIE = 'login_step';
const cookieOf = (request: FastifyRequest) => hostCookieAttributes(request, 'strict');

const ticketSchema = z.object({
  userId: z.int(),
  authVersion: z.int(),
  way: z.enum(['password', 'known-password', 'mail', ...IDENTITY_PROVIDERS]),
});
type FirstStep = z.infer<typeof ticketSchema>['way'];

/** A login whose first step was right and that waits for a code of the account's authenticator app. */
@Injectable()
export class SecondStep {
  constructor(
    private readonly accounts: AccountsService,
    private readonly twoFactor: TwoFactorService,
    private readonly tickets: VerificationTickets,
    private readonly audit: AuditLog,
  ) {}

  isNeeded(account: Account): Promise<boolean> {
    return this.twoFactor.isEnabled(account.id);
  }

  /** Asks for the code. */
  async begin(account: Account, way: FirstStep, reply: FastifyReply): Promise<SignInAnswer> {
    const { id: userId, authVersion } = account;
    const ticket = await this.tickets.issue(KIND, { userId, authVersion, way }, TICKET_MS);
    void reply.setCookie(hostCookieName(reply.request, COOKIE), ticket, {
      ...cookieOf(reply.request),
      maxAge: TICKET_MS / 1000,
    });
    return { require_2fa: true, ticket };
  }

  /**
   * Returns the account of the login once the code is right. The ticket lasts until then; tries are counted per account.
   * @param input.ticket  as the client sends it; undefined = the one in the cookie counts
   * Fails: DomainError `second_step_expired`, also in another browser and for an account banned meanwhile, and as
   * `TwoFactorService.spend`.
   */
  async finish(
    { ticket, code }: SecondStepInput,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<{ readonly account: Account; readonly firstStep: FirstStep; readonly code: string }> {
    const held = readSignedCookie(request, hostCookieName(request, COOKIE)) ?? '';
    if (ticket !== undefined && ticket !== held) throw new DomainError('second_step_expired');
    const first = ticketSchema.safeParse(await this.tickets.look(KIND, held));
    if (!first.success) throw new DomainError('second_step_expired');
    const { userId, authVersion, way } = first.data;
    const account = await this.accounts.findIdentity(userId);
    if (account === null || account.status !== USER_STATUS.active || account.authVersion !== authVersion)
      throw new DomainError('second_step_expired');
    const used = await this.twoFactor.spend(userId, code).catch(async (error: unknown) => {
      if (error instanceof DomainError && error.code === 'two_factor_code_wrong')
        await this.audit.record(null, {
          ...actorAndTarget(account),
          actorName: account.username,
          action: 'login.code_wrong',
        });
      throw error;
    });
    // Accepts one of two concurrent right codes; the ticket cannot be used again.
    if ((await this.tickets.take(KIND, held)) === undefined) throw new DomainError('second_step_expired');
    void reply.clearCookie(hostCookieName(reply.request, COOKIE), cookieOf(reply.request));
    return { account, firstStep: way, code: used };
  }
}
