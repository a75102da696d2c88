import { Body, Controller, Get, HttpCode, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ApiEnvelope } from '../../../common/api/api-envelope.decorator.js';
import { languageOf } from '../../../common/language.js';
import { claimedUserId } from '../access.guard.js';
import { Access } from '../../access/access.js';
import { NeedsFreshLogin } from '../../access/needs-fresh-login.js';
import { type Actor, CurrentActor, OptionalActor } from '../../access/current-actor.js';
import {
  type CodeQuery,
  codeQuerySchema,
  type MailBindingInput,
  mailBindingSchema,
  type ResetQuery,
  resetQuerySchema,
} from './dto/verification.dto.js';
import { HumanCheck } from '../verification/human-check.js';
import { MailBinding } from './mail-binding.js';
import { MailCodes } from '../verification/mail-codes.js';
import type { CodePurpose } from '../verification/one-time-codes.js';
import { ResetLinkMail } from './password-reset.js';

/** Proofs by mail: of an address, and for a forgotten password. */
@ApiTags('account entry')
@Controller('api')
export class AccountMailController {
  constructor(
    private readonly codes: MailCodes,
    private readonly resetMail: ResetLinkMail,
    private readonly binding: MailBinding,
    private readonly humanCheck: HumanCheck,
  ) {}

  /** A code for registering; for a signed-in caller, one for binding the address or for proving where warnings go. */
  @Get('verification')
  @Access('guest')
  @ApiEnvelope()
  async sendCode(
    @Query({ schema: codeQuerySchema }) query: CodeQuery,
    @OptionalActor() actor: Actor | null,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    const userId = actor !== null && claimedUserId(request) === actor.id ? actor.id : 0;
    const purpose = purposeOf(query.purpose, userId);
    this.codes.assertPurposeEnabled(purpose);
    await this.humanCheck.assert({ ...placeOf(request), token: query.turnstile, action: 'verification' });
    const { ip } = request;
    await this.codes.send({ address: query.email, purpose, userId, ip, language: languageFor(request) });
  }

  @Get('reset_password')
  @Access('public')
  @ApiEnvelope()
  async requestReset(
    @Query({ schema: resetQuerySchema }) query: ResetQuery,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    await this.humanCheck.assert({ ...placeOf(request), token: query.turnstile, action: 'reset' });
    await this.resetMail.send(query.email, request.ip, languageFor(request));
  }

  /** Changes state by GET because the clients of this API family do; the user-id header guards it. */
  @Get('oauth/email/bind')
  @Access('user')
  @NeedsFreshLogin()
  @ApiEnvelope()
  bindByGet(
    @CurrentActor() actor: Actor,
    @Query({ schema: mailBindingSchema }) input: MailBindingInput,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    return this.binding.bind(actor, input, languageFor(request));
  }

  @Post('oauth/email/bind')
  @HttpCode(200)
  @Access('user')
  @NeedsFreshLogin()
  @ApiEnvelope()
  bind(
    @CurrentActor() actor: Actor,
    @Body({ schema: mailBindingSchema }) input: MailBindingInput,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    return this.binding.bind(actor, input, languageFor(request));
  }
}

const languageFor = (request: FastifyRequest) => languageOf(request.headers['accept-language']);

const placeOf = (request: FastifyRequest) => ({ ip: request.ip, host: request.host });

function purposeOf(wanted: string, userId: number): CodePurpose {
  if (userId === 0) return 'register';
  return wanted === 'notification' ? 'notification-mail' : 'bind-mail';
}
