import { Body, Controller, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DomainError } from '../../common/errors/domain-error.js';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { EnvelopeReply } from '../../common/envelope.js';
import { claimedUserId } from '../../base/auth/access.guard.js';
import { Access } from '../../base/access/access.js';
import { type Actor, OptionalActor } from '../../base/access/current-actor.js';
import { OpenInDemo } from '../../base/access/open-in-demo.js';
import { StepUpAuth } from '../../base/auth/step-up.service.js';
import { signInAnswerSchema } from '../../base/auth/sign-in-answer.js';
import { assertOwnPage, IdentityAttempts } from './attempts.js';
import {
  type CallbackQuery,
  callbackQuerySchema,
  type OAuthStart,
  type OAuthStarted,
  oauthStartedSchema,
  oauthStartSchema,
  type OidcDiscovery,
  oidcDiscoverySchema,
  type OidcEndpoints,
  oidcEndpointsSchema,
  type StateQuery,
  stateQuerySchema,
} from './dto/oauth.dto.js';
import { FlowStates } from './flow-state.js';
import type { RedirectProvider } from '../../base/access/identity-providers.js';
import { OidcDocuments } from './oidc/oidc-documents.js';
import { RedirectSignIn } from './redirect-sign-in.service.js';

/** Signing in, and binding, by providers that send people back with a code. */
@ApiTags('outside identities')
@Controller('api/oauth')
export class OAuthController {
  constructor(
    private readonly redirects: RedirectSignIn,
    private readonly states: FlowStates,
    private readonly documents: OidcDocuments,
    private readonly attempts: IdentityAttempts,
    private readonly proofs: StepUpAuth,
  ) {}

  /** For clients of this API family, which make the provider's address themselves. A signed-in user binds, all others sign in. */
  @Get('state')
  @Access('guest')
  @ApiEnvelope(z.string())
  async state(
    @Query({ schema: stateQuerySchema }) { aff }: StateQuery,
    @OptionalActor() actor: Actor | null,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    await this.attempts.start(request.ip);
    const binder = await this.freshBinder(binderOf(actor, request));
    return this.states.begin({ provider: null, aff, isProven: false }, binder, { request, reply });
  }

  /** Address to send the browser to, with everything in it that proves the way back. */
  @Post('start')
  @HttpCode(200)
  @Access('guest')
  @OpenInDemo()
  @ApiEnvelope(oauthStartedSchema)
  async start(
    @Body({ schema: oauthStartSchema }) input: OAuthStart,
    @OptionalActor() actor: Actor | null,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OAuthStarted> {
    await this.attempts.start(request.ip);
    const binder = input.intent === 'bind' ? binderOf(actor, request) : null;
    if (input.intent === 'bind' && binder === null)
      throw new DomainError(actor?.way === 'access-token' ? 'session_required' : 'not_signed_in');
    return this.redirects.start(input, await this.freshBinder(binder), { request, reply });
  }

  @Get('github')
  @Access('guest')
  @ApiEnvelope(signInAnswerSchema.optional())
  github(
    @Query({ schema: callbackQuerySchema }) query: CallbackQuery,
    @OptionalActor() actor: Actor | null,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EnvelopeReply> {
    return this.complete('github', query, actor, request, reply);
  }

  @Get('oidc')
  @Access('guest')
  @ApiEnvelope(signInAnswerSchema.optional())
  oidc(
    @Query({ schema: callbackQuerySchema }) query: CallbackQuery,
    @OptionalActor() actor: Actor | null,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EnvelopeReply> {
    return this.complete('oidc', query, actor, request, reply);
  }

  @Get('linuxdo')
  @Access('guest')
  @ApiEnvelope(signInAnswerSchema.optional())
  linuxdo(
    @Query({ schema: callbackQuerySchema }) query: CallbackQuery,
    @OptionalActor() actor: Actor | null,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EnvelopeReply> {
    return this.complete('linuxdo', query, actor, request, reply);
  }

  /** The endpoints of a discovery document, for the settings page; browsers may not read it there. */
  @Post('oidc/discover')
  @HttpCode(200)
  @Access('root')
  @ApiEnvelope(oidcEndpointsSchema)
  discover(
    @Body({ schema: oidcDiscoverySchema }) { well_known: address }: OidcDiscovery,
  ): Promise<OidcEndpoints> {
    return this.documents.discover(address.trim());
  }

  /** A binding adds a sign-in method, by whichever route it begins. Fails: DomainError `login_not_fresh`. */
  private async freshBinder(binder: Actor | null): Promise<Actor | null> {
    if (binder !== null && this.proofs.isRequired) await this.proofs.assertFresh(binder);
    return binder;
  }

  private async complete(
    provider: RedirectProvider,
    query: CallbackQuery,
    actor: Actor | null,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<EnvelopeReply> {
    assertOwnPage(request);
    const answer = await this.attempts.run(request.ip, () =>
      this.redirects.complete(provider, query, actor, { request, reply }),
    );
    return answer === null ? new EnvelopeReply(undefined, 'bind') : new EnvelopeReply(answer);
  }
}

/** Account to bind: signed in, with a page that names the same account. */
function binderOf(actor: Actor | null, request: FastifyRequest): Actor | null {
  return actor !== null && actor.way === 'session' && claimedUserId(request) === actor.id ? actor : null;
}
