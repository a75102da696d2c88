import { Body, Controller, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../common/errors/domain-error.js';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { Access } from '../../base/access/access.js';
import { type Actor, CurrentActor, OptionalActor } from '../../base/access/current-actor.js';
import { NeedsFreshLogin } from '../../base/access/needs-fresh-login.js';
import { type SignInAnswer, signInAnswerSchema } from '../../base/auth/sign-in-answer.js';
import { assertOwnPage, IdentityAttempts } from './attempts.js';
import { Bindings } from './bindings.service.js';
import {
  type TelegramBind,
  telegramBindQuerySchema,
  telegramBindSchema,
  type TelegramLogin,
  telegramQuerySchema,
} from './dto/oauth.dto.js';
import { FlowStates } from './flow-state.js';
import { ExternalSignIn } from './external-sign-in.service.js';
import { TelegramIdentity } from './telegram.identity.js';

/** Target of the widget's redirect: the personal settings, which show the binding. */
const AFTER_BINDING = '/personal';

/** Telegram's login widget. It creates no accounts; it signs in to accounts it was bound to. */
@ApiTags('outside identities')
@Controller('api/oauth/telegram')
export class TelegramController {
  constructor(
    private readonly outside: ExternalSignIn,
    private readonly identity: TelegramIdentity,
    private readonly bindings: Bindings,
    private readonly states: FlowStates,
    private readonly attempts: IdentityAttempts,
  ) {}

  @Get('login')
  @Access('public')
  @ApiEnvelope(signInAnswerSchema)
  login(
    @Query({ schema: telegramQuerySchema }) fields: TelegramLogin,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SignInAnswer> {
    assertOwnPage(request);
    this.outside.assertOn('telegram');
    return this.attempts.run(request.ip, async () =>
      this.outside.enter(await this.identity.profileOf(fields), '', { request, reply }),
    );
  }

  /**
   * The widget may return here straight from Telegram, where no header can be sent along: the state of POST /api/oauth/start, which
   * only a page of ours gets, stands for it.
   */
  @Get('bind')
  @Access('guest')
  @ApiEnvelope()
  async bindByRedirect(
    @Query({ schema: telegramBindQuerySchema }) fields: TelegramBind,
    @OptionalActor() actor: Actor | null,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (actor === null) throw new DomainError('not_signed_in');
    await this.bindWith(fields, actor, request);
    await reply.redirect(request.basePath + AFTER_BINDING, 302);
  }

  @Post('bind')
  @HttpCode(200)
  @Access('user')
  @NeedsFreshLogin()
  @ApiEnvelope()
  bind(
    @Body({ schema: telegramBindSchema }) fields: TelegramBind,
    @CurrentActor() actor: Actor,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    return this.bindWith(fields, actor, request);
  }

  private bindWith({ state, ...fields }: TelegramBind, actor: Actor, request: FastifyRequest): Promise<void> {
    this.outside.assertOn('telegram');
    return this.attempts.run(request.ip, async () => {
      const flow = await this.states.consume(state, 'telegram', request, actor);
      if (flow.intent !== 'bind') throw new DomainError('identity_state_invalid');
      await this.bindings.bind(actor, await this.identity.profileOf(fields));
    });
  }
}
