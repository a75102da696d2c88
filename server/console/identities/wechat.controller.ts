import { Body, Controller, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { Access } from '../../base/access/access.js';
import { type Actor, CurrentActor } from '../../base/access/current-actor.js';
import { NeedsFreshLogin } from '../../base/access/needs-fresh-login.js';
import { type SignInAnswer, signInAnswerSchema } from '../../base/auth/sign-in-answer.js';
import { assertBySession } from '../../base/auth/step-up.service.js';
import { assertOwnPage, IdentityAttempts } from './attempts.js';
import { Bindings } from './bindings.service.js';
import { type WeChatQuery, wechatBindSchema, wechatQuerySchema } from './dto/oauth.dto.js';
import { ExternalSignIn } from './external-sign-in.service.js';
import { WeChatIdentity } from './wechat.identity.js';

/** WeChat: people read a code off their phone and type it. */
@ApiTags('outside identities')
@Controller('api/oauth/wechat')
export class WeChatController {
  constructor(
    private readonly outside: ExternalSignIn,
    private readonly identity: WeChatIdentity,
    private readonly bindings: Bindings,
    private readonly attempts: IdentityAttempts,
  ) {}

  @Get()
  @Access('public')
  @ApiEnvelope(signInAnswerSchema)
  async login(
    @Query({ schema: wechatQuerySchema }) { code, aff }: WeChatQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SignInAnswer> {
    assertOwnPage(request);
    this.outside.assertOn('wechat');
    await this.attempts.typedCode(request.ip);
    return this.outside.enter(await this.identity.profileOf(code), aff, { request, reply });
  }

  /** Clients of this API family bind by GET; the user-id header keeps other sites from doing it for them. */
  @Get('bind')
  @Access('user')
  @NeedsFreshLogin()
  @ApiEnvelope()
  bindByGet(
    @Query({ schema: wechatQuerySchema }) query: WeChatQuery,
    @CurrentActor() actor: Actor,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    return this.bind(query, actor, request);
  }

  @Post('bind')
  @HttpCode(200)
  @Access('user')
  @NeedsFreshLogin()
  @ApiEnvelope()
  async bind(
    @Body({ schema: wechatBindSchema }) { code }: Pick<WeChatQuery, 'code'>,
    @CurrentActor() actor: Actor,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    assertBySession(actor);
    this.outside.assertOn('wechat');
    await this.attempts.typedCode(request.ip, actor.id);
    await this.bindings.bind(actor, await this.identity.profileOf(code));
  }
}
