import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ok } from '../../common/result.js';
import { refusal } from '../../relay-core/model/refusals.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import { Access } from '../../base/access/access.js';
import { type Actor, CurrentActor } from '../../base/access/current-actor.js';
import { IdentityService } from '../../base/auth/identity.service.js';
import { readSessionCookie } from '../../base/auth/session-cookie.js';
import type { RelayRequest } from '../../gateway/relay/call-runner.js';
import { NodeReply } from '../../gateway/http/relay-replies.js';
import { taggingHeaders } from '../../relay-core/pipeline/request/call-tags.js';
import { RelayHandler } from '../../gateway/relay/relay-handler.js';
import { writeRefusal } from '../../gateway/http/relay-replies.js';
import { USER_STATUS } from '../../base/access/user.codes.js';
import { PlaygroundCallers } from './playground-callers.js';
import { type PlaygroundRoute, PLAYGROUND_ROUTES } from './playground-dialect.js';
import { isJsonObject } from '../../common/parse-json.js';

/** Conversations may contain images. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;

const SIGNED_OUT: RelayError = refusal('login-ended');

/**
 * Calls from the console: the relay's own, for a signed-in person instead of a key, with its limits and charges. The guard of the
 * console has checked origin, session and user id; the answer is the relay's, not an envelope, so the description of the console's
 * API leaves it out.
 */
@ApiExcludeController()
@Controller('pg')
export class PlaygroundController {
  constructor(
    private readonly callers: PlaygroundCallers,
    private readonly identities: IdentityService,
    private readonly relay: RelayHandler,
  ) {}

  @Post('chat/completions')
  @Access('user')
  @RouteConfig({ bodyLimitBytes: MAX_BODY_BYTES })
  chat(
    @CurrentActor() actor: Actor,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.call(PLAYGROUND_ROUTES.chat, actor, body, { request, reply });
  }

  @Post('images/generations')
  @Access('user')
  image(
    @CurrentActor() actor: Actor,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.call(PLAYGROUND_ROUTES.image, actor, body, { request, reply });
  }

  @Post('audio/speech')
  @Access('user')
  speech(
    @CurrentActor() actor: Actor,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.call(PLAYGROUND_ROUTES.speech, actor, body, { request, reply });
  }

  private async call(
    route: PlaygroundRoute,
    actor: Actor,
    body: unknown,
    { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  ): Promise<void> {
    const { group = '', ...content }: Record<string, unknown> = isJsonObject(body) ? body : {};
    // Value the console sends for "no limit".
    if (content['max_tokens'] === 0) delete content['max_tokens'];
    const caller =
      typeof group === 'string'
        ? await this.callers.callerFor(actor, group)
        : invalid('The group must be text.');
    reply.hijack();
    const response = new NodeReply(reply.raw);
    const refuse = (error: RelayError): void => {
      const rendered = route.dialect.writeError(error, request.id);
      writeRefusal(response, rendered, request.id, {});
    };
    if (!caller.ok) return refuse(caller.error);
    if (typeof content['model'] !== 'string' || content['model'].trim() === '')
      return refuse(invalid('Choose a model.', 'model_required').error);
    const bytes = Buffer.from(JSON.stringify(content));
    const call: RelayRequest = {
      callId: request.id,
      url: route.path,
      pathModel: undefined,
      // Cookies and the like must not be forwarded; the console has read the type.
      headers: {
        'content-type': 'application/json',
        via: request.headers.via,
        ...taggingHeaders(request.headers),
      },
      clientAddress: request.ip,
    };
    if (!this.relay.admit(route, call, bytes.length, response)) return;
    const sessionId = readSessionCookie(request);
    this.relay.start(route, call, bytes, response, {
      identify: () => ok(caller.value),
      findClosure: async () => {
        const identity = sessionId === null ? null : await this.identities.ofSession(sessionId);
        return identity?.account.status === USER_STATUS.active ? null : SIGNED_OUT;
      },
    });
  }
}

const invalid = (message: string, code?: 'model_required') =>
  ({
    ok: false,
    error: { kind: 'invalid-request', blame: 'caller', message, ...(code === undefined ? {} : { code }) },
  }) as const;
