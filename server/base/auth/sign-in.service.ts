import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../common/errors/domain-error.js';
import { USER_STATUS } from '../access/user.codes.js';
import type { Account } from '../users/account.js';
import type { UserView } from '../users/user-view.js';
import { DatabaseBehindPolicy } from './database-behind-policy.js';
import type { SecondStepInput } from './dto/login.dto.js';
import { OwnSessions } from './own-sessions.js';
import { SecondStep } from './second-step.service.js';
import type { SignInAnswer } from './sign-in-answer.js';
import type { SignInMethod } from './sessions.service.js';

/**
 * Last step of every sign-in method: called once the account is known. There is no session before the code of an authenticator app,
 * when the account has one, is right.
 */
@Injectable()
export class SignIn {
  constructor(
    private readonly secondStep: SecondStep,
    private readonly sessions: OwnSessions,
    private readonly behind: DatabaseBehindPolicy,
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
    if (way !== 'passkey' && way !== 'two-factor' && (await this.secondStep.isNeeded(account)))
      return this.secondStep.begin(account, way, reply);
    return this.sessions.signIn(account, { way }, request, reply);
  }

  /** The second step. Fails: as `SecondStep.finish`. */
  async confirm(input: SecondStepInput, request: FastifyRequest, reply: FastifyReply): Promise<UserView> {
    const { account, ...steps } = await this.secondStep.finish(input, request, reply);
    const detail = { way: 'two-factor', first_step: steps.firstStep, code: steps.code } as const;
    return this.sessions.signIn(account, detail, request, reply);
  }
}
