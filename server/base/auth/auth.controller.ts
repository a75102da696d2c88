import { Body, Controller, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DomainError } from '../../common/errors/domain-error.js';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { EnvelopeReply } from '../../common/envelope.js';
import { languageOf } from '../../common/language.js';
import { ROLE } from '../access/user.codes.js';
import { userSchema, type UserView } from '../users/user-view.js';
import { isWellKnownPassword } from '../users/well-known-passwords.js';
import { type HumanCheckQuery, humanCheckQuerySchema } from './verification/human-check-query.js';
import { HumanCheck } from './verification/human-check.js';
import { claimedUserId } from './access.guard.js';
import { Access } from '../access/access.js';
import { type Actor, OptionalActor } from '../access/current-actor.js';
import { OpenInDemo } from '../access/open-in-demo.js';
import { OpenWhileDatabaseBehind } from '../access/open-while-database-behind.js';
import { OpenWithKnownPassword } from '../access/open-with-known-password.js';
import {
  type Login,
  loginSchema,
  type SecondStepInput,
  secondStepInputSchema,
  type Unlock,
  unlockSchema,
} from './dto/login.dto.js';
import { LoginService } from './login.service.js';
import { LoginUnlock } from './login-unlock.service.js';
import { OwnSessions } from './own-sessions.js';
import { clearSessionCookie } from './session-cookie.js';
import { SignIn } from './sign-in.service.js';
import { type SignInAnswer, signInAnswerSchema } from './sign-in-answer.js';

/** Login and logout. */
@ApiTags('account entry')
@Controller('api/user')
export class AuthController {
  constructor(
    private readonly logins: LoginService,
    private readonly unlocks: LoginUnlock,
    private readonly humanCheck: HumanCheck,
    private readonly signIn: SignIn,
    private readonly sessions: OwnSessions,
  ) {}

  @Post('login')
  @HttpCode(200)
  @Access('public')
  @OpenInDemo()
  @ApiEnvelope(signInAnswerSchema, {
    default_password: z
      .literal(true)
      .optional()
      .meta({ description: 'an administrator whose password everybody tries' }),
  })
  async login(
    @Body({ schema: loginSchema }) input: Login,
    @Query({ schema: humanCheckQuerySchema }) { turnstile }: HumanCheckQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SignInAnswer | EnvelopeReply> {
    const { ip, host } = request;
    await this.humanCheck.assert({ token: turnstile, action: 'login', ip, host });
    const account = await this.logins.signIn(
      { name: input.username, password: input.password, unlock: input.unlock },
      request.ip,
    );
    // New passwords cannot be such; an account that came from elsewhere may have one, and its owner is warned.
    const isDefault = account.role >= ROLE.admin && isWellKnownPassword(input.password);
    const way = isDefault ? 'known-password' : 'password';
    const answer = await this.signIn.finish(account, way, request, reply);
    return isDefault ? new EnvelopeReply(answer, '', { default_password: true }) : answer;
  }

  /**
   * Mails the owner a link that ends the wait caused by other people's wrong passwords. The answer does not reveal whether the
   * account exists.
   */
  @Post('login/unlock')
  @HttpCode(200)
  @Access('public')
  @OpenInDemo()
  @ApiEnvelope()
  async unlock(
    @Body({ schema: unlockSchema }) { username }: Unlock,
    @Query({ schema: humanCheckQuerySchema }) { turnstile }: HumanCheckQuery,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    const { ip, host } = request;
    await this.humanCheck.assert({ token: turnstile, action: 'login', ip, host });
    await this.unlocks.request(username, ip, languageOf(request.headers['accept-language']));
  }

  /** The second step of a login whose first answered `require_2fa`. */
  @Post('login/2fa')
  @HttpCode(200)
  @Access('public')
  @OpenInDemo()
  @ApiEnvelope(userSchema)
  confirmLogin(
    @Body({ schema: secondStepInputSchema }) input: SecondStepInput,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UserView> {
    return this.signIn.confirm(input, request, reply);
  }

  /** Older consoles sign out by GET: from a page of this site only, and with the user-id header. */
  @Get('logout')
  @Access('guest')
  @OpenWithKnownPassword()
  @ApiEnvelope()
  logoutByGet(
    @OptionalActor() actor: Actor | null,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const site = request.headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin' && site !== 'same-site')
      throw new DomainError('foreign_origin');
    return this.logout(actor, request, reply);
  }

  @Post('logout')
  @HttpCode(200)
  @Access('guest')
  @OpenWhileDatabaseBehind()
  @OpenInDemo()
  @OpenWithKnownPassword()
  @ApiEnvelope()
  async logout(
    @OptionalActor() actor: Actor | null,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    if (actor !== null && actor.sessionDigest !== null) {
      if (claimedUserId(request) !== actor.id) throw new DomainError('not_signed_in');
      await this.sessions.signOut(actor, actor.sessionDigest);
    }
    clearSessionCookie(reply);
  }
}
