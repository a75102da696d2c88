import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DomainError } from '../../common/errors/domain-error.js';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { EnvelopeReply } from '../../common/envelope.js';
import { languageOf } from '../../common/language.js';
import { Access } from '../../base/access/access.js';
import { type Actor, CurrentActor } from '../../base/access/current-actor.js';
import { NeedsFreshLogin } from '../../base/access/needs-fresh-login.js';
import { OpenWithKnownPassword } from '../../base/access/open-with-known-password.js';
import { OwnSessions } from '../../base/auth/own-sessions.js';
import { clearSessionCookie } from '../../base/auth/session-cookie.js';
import {
  type AffTransfer,
  affTransferSchema,
  type SelfEdit,
  selfDeleteSchema,
  selfEditSchema,
  sessionsEndedSchema,
  sessionsEndQuerySchema,
  sessionViewSchema,
} from './dto/user.dto.js';
import { userSchema, type UserView } from '../../base/users/user-view.js';
import { InvitationsService } from './invitations.service.js';
import { ProfileService } from './profile.service.js';
import { SelfService } from './self.service.js';
import { type UserSettingInput, userSettingSchema } from '../../base/users/user-setting-input.js';
import { UserSettingsService } from './user-settings.service.js';

/** Messages that old clients show after a success. */
const CONFIRMATIONS = {
  transferred: { en: 'The earnings were moved into the balance', zh: '划转成功' },
  settingSaved: { en: 'The settings were saved', zh: '设置已更新' },
} as const;

/** The own account. */
@ApiTags('self')
@Controller('api/user')
export class SelfController {
  constructor(
    private readonly profile: ProfileService,
    private readonly self: SelfService,
    private readonly sessions: OwnSessions,
    private readonly settings: UserSettingsService,
    private readonly invitations: InvitationsService,
  ) {}

  @Get('self')
  @Access('user')
  @OpenWithKnownPassword()
  @ApiEnvelope(userSchema)
  get(@CurrentActor() actor: Actor): Promise<UserView> {
    return this.profile.get(actor);
  }

  @Put('self')
  @Access('user')
  @OpenWithKnownPassword()
  @ApiEnvelope()
  async edit(
    @CurrentActor() actor: Actor,
    @Body({ schema: selfEditSchema }) input: SelfEdit,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    // All logins ended with the old password; this browser gets a new one.
    if ((await this.profile.edit(actor, input, request.ip)) && actor.sessionDigest !== null)
      await this.sessions.reopen(actor, request, reply);
  }

  @Delete('self')
  @Access('user')
  @NeedsFreshLogin()
  @ApiEnvelope()
  async leave(
    @CurrentActor() actor: Actor,
    @Body({ schema: selfDeleteSchema }) input: { username?: string } | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.self.leave(actor, input?.username);
    clearSessionCookie(reply);
  }

  /** Changes state by GET because the clients of this API family do; the user-id header guards it. */
  @Get('token')
  @Access('user')
  @NeedsFreshLogin()
  @ApiEnvelope(z.string())
  renewTokenByGet(@CurrentActor() actor: Actor): Promise<string> {
    return this.renewToken(actor);
  }

  @Post('token')
  @HttpCode(200)
  @Access('user')
  @NeedsFreshLogin()
  @ApiEnvelope(z.string())
  renewToken(@CurrentActor() actor: Actor): Promise<string> {
    return this.self.renewAccessToken(actor);
  }

  @Get('aff')
  @Access('user')
  @ApiEnvelope(z.string())
  affCode(@CurrentActor() actor: Actor): Promise<string> {
    return this.invitations.codeOf(actor);
  }

  /** Moves invite earnings into the balance. */
  @Post('aff_transfer')
  @HttpCode(200)
  @Access('user')
  @ApiEnvelope()
  async transferEarnings(
    @CurrentActor() actor: Actor,
    @Body({ schema: affTransferSchema }) input: AffTransfer,
    @Req() request: FastifyRequest,
  ): Promise<EnvelopeReply> {
    await this.invitations.transfer(actor, input);
    return new EnvelopeReply(undefined, CONFIRMATIONS.transferred[languageFor(request)]);
  }

  @Put('setting')
  @Access('user')
  @ApiEnvelope()
  async changeSetting(
    @CurrentActor() actor: Actor,
    @Body({ schema: userSettingSchema }) input: UserSettingInput,
    @Req() request: FastifyRequest,
  ): Promise<EnvelopeReply> {
    const language = languageFor(request);
    await this.settings.change(actor, input, language);
    return new EnvelopeReply(undefined, CONFIRMATIONS.settingSaved[language]);
  }

  /** Sends a test notice by the stored settings. */
  @Post('setting/test')
  @HttpCode(200)
  @Access('user')
  @ApiEnvelope()
  testSetting(@CurrentActor() actor: Actor): Promise<void> {
    return this.settings.test(actor);
  }

  /** Sessions of the account. */
  @Get('self/sessions')
  @Access('user')
  @ApiEnvelope(z.array(sessionViewSchema))
  listSessions(@CurrentActor() actor: Actor): Promise<z.infer<typeof sessionViewSchema>[]> {
    return this.sessions.list(actor);
  }

  /** Signs out everywhere else; with `current=true` here as well. */
  @Delete('self/sessions')
  @Access('user')
  @ApiEnvelope(sessionsEndedSchema)
  async closeAllSessions(
    @CurrentActor() actor: Actor,
    @Query({ schema: sessionsEndQuerySchema }) query: { current: boolean },
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<z.infer<typeof sessionsEndedSchema>> {
    const ended = await this.sessions.closeAll(actor, query.current);
    if (query.current) clearSessionCookie(reply);
    return { ended };
  }

  @Delete('self/sessions/:id')
  @Access('user')
  @ApiEnvelope()
  async closeSession(
    @CurrentActor() actor: Actor,
    @Param('id', { schema: z.string().regex(/^[0-9a-f]{16}$/) }) id: string,
  ): Promise<void> {
    if (!(await this.sessions.close(actor, id))) throw new DomainError('not_found');
  }
}

const languageFor = (request: FastifyRequest) => languageOf(request.headers['accept-language']);
