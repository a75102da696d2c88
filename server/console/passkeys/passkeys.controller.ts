import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { pathId } from '../../common/query.js';
import { networkOf } from '../../common/client-network.js';
import { Access } from '../../base/access/access.js';
import { type Actor, CurrentActor } from '../../base/access/current-actor.js';
import { OpenInDemo } from '../../base/access/open-in-demo.js';
import { browserOf, ensureBrowser } from '../../base/auth/browser-cookie.js';
import { type SignInAnswer, signInAnswerSchema } from '../../base/auth/sign-in-answer.js';
import { SignIn } from '../../base/auth/sign-in.service.js';
import { RateLimiter } from '../../infra/rate-limit/rate-limiter.js';
import {
  type PasskeyAssertion,
  passkeyAssertionSchema,
  type PasskeyBegin,
  passkeyBeginSchema,
  passkeyListSchema,
  type PasskeyListView,
  passkeyCreationSchema,
  type PasskeyCreationView,
  passkeyRequestSchema,
  type PasskeyRequestView,
  type PasskeyRegistration,
  passkeyRegistrationSchema,
  passkeyRenameSchema,
} from './dto/passkey.dto.js';
import { OwnPasskeys } from './own-passkeys.js';
import { PasskeyRegistrations } from './passkey-registrations.js';
import { PasskeyUse } from './passkey-use.js';

/** Ceremonies one network may begin. */
const LOGIN_RATE = { limit: 60, windowMs: 60_000 };

/** Passkeys of the own account, and signing in by one. */
@ApiTags('passkeys')
@Controller('api/user/passkey')
export class PasskeysController {
  constructor(
    private readonly own: OwnPasskeys,
    private readonly registrations: PasskeyRegistrations,
    private readonly use: PasskeyUse,
    private readonly signIn: SignIn,
    private readonly throttle: RateLimiter,
  ) {}

  @Get()
  @Access('user')
  @ApiEnvelope(passkeyListSchema)
  list(@CurrentActor() actor: Actor, @Req() request: FastifyRequest): Promise<PasskeyListView> {
    return this.own.list(actor, request);
  }

  @Post('register/begin')
  @HttpCode(200)
  @Access('user')
  @ApiEnvelope(passkeyCreationSchema)
  beginRegistration(
    @CurrentActor() actor: Actor,
    @Body({ schema: passkeyBeginSchema }) proof: PasskeyBegin,
    @Req() request: FastifyRequest,
  ): Promise<PasskeyCreationView> {
    return this.registrations.begin(actor, proof, request, request.ip);
  }

  @Post('register/finish')
  @HttpCode(200)
  @Access('user')
  @ApiEnvelope()
  finishRegistration(
    @CurrentActor() actor: Actor,
    @Body({ schema: passkeyRegistrationSchema }) input: PasskeyRegistration,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    return this.registrations.finish(actor, input, request);
  }

  @Post('login/begin')
  @HttpCode(200)
  @Access('public')
  @OpenInDemo()
  @ApiEnvelope(passkeyRequestSchema)
  async beginLogin(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PasskeyRequestView> {
    await this.throttle.admit(`passkey:begin:${networkOf(request.ip)}`, LOGIN_RATE);
    return this.use.beginLogin(request, ensureBrowser(request, reply));
  }

  @Post('login/finish')
  @HttpCode(200)
  @Access('public')
  @OpenInDemo()
  @ApiEnvelope(signInAnswerSchema)
  async finishLogin(
    @Body({ schema: passkeyAssertionSchema }) input: PasskeyAssertion,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SignInAnswer> {
    await this.throttle.admit(`passkey:finish:${networkOf(request.ip)}`, LOGIN_RATE);
    const account = await this.use.finishLogin(input, request, browserOf(request));
    return this.signIn.finish(account, 'passkey', request, reply);
  }

  /** Proves by a passkey who is at the keyboard; see `/api/verify`. */
  @Post('verify/begin')
  @HttpCode(200)
  @Access('user')
  @ApiEnvelope(passkeyRequestSchema)
  beginProof(@CurrentActor() actor: Actor, @Req() request: FastifyRequest): Promise<PasskeyRequestView> {
    return this.use.beginProof(actor, request);
  }

  @Post('verify/finish')
  @HttpCode(200)
  @Access('user')
  @ApiEnvelope()
  finishProof(
    @CurrentActor() actor: Actor,
    @Body({ schema: passkeyAssertionSchema }) input: PasskeyAssertion,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    return this.use.finishProof(actor, input, request);
  }

  @Put(':id')
  @Access('user')
  @ApiEnvelope()
  rename(
    @CurrentActor() actor: Actor,
    @Param('id', { schema: pathId() }) id: number,
    @Body({ schema: passkeyRenameSchema }) input: { name: string },
  ): Promise<void> {
    return this.own.rename(actor, id, input.name);
  }

  @Delete(':id')
  @Access('user')
  @ApiEnvelope()
  remove(@CurrentActor() actor: Actor, @Param('id', { schema: pathId() }) id: number): Promise<void> {
    return this.own.remove(actor, id);
  }
}
