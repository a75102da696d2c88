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
import { NodeReply } from '../../gateway/http/raw-reply.js';
import { RelayHandler } from '../../gateway/relay/relay-handler.js';
import { writeRefusal } from '../../gateway/http/relay-replies.js';
import { USER_STATUS } from '../../base/access/user.codes.js';
import { PlaygroundCallers } from './playground-callers.js';
import { PLAYGROUND_PATH, PLAYGROUND_ROUTE } from './playground-dialect.js';
import { isJsonObject } from '../../common/parse-json.js';

/** Conversations with pictures in them. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;

const SIGNED_OUT: RelayError = refusal('login-ended');

/**
 * Chats from the console: the relay's own call, for a person instead of a key. The guard of the console has looked at origin,
 * session and user id; the answer is the relay's, not an envelope, so it is in no description of the console's API.
 */
@ApiExcludeController()
@Controller('pg/chat')
export class PlaygroundController {
  constructor(
    private readonly callers: PlaygroundCallers,
    private readonly identities: IdentityService,
    private readonly relay: RelayHandler,
  ) {}

  @Post('completions')
  @Access('user')
  @RouteConfig({ bodyLimitBytes: MAX_BODY_BYTES })
  async chat(
    @CurrentActor() actor: Actor,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { group = '', ...chat }: Record<string, unknown> = isJsonObject(body) ? body : {};
    // What the console sends for "no limit".
    if (chat['max_tokens'] === 0) delete chat['max_tokens'];
    const caller =
      typeof group === 'string'
        ? await this.callers.callerFor(actor, group)
        : invalid('The group must be text.');
    reply.hijack();
    const response = new NodeReply(reply.raw);
    const refuse = (error: RelayError): void => {
      const rendered = PLAYGROUND_ROUTE.dialect.writeError(error, request.id);
      writeRefusal(response, rendered, request.id, {});
    };
    if (!caller.ok) return refuse(caller.error);
    if (typeof chat['model'] !== 'string' || chat['model'].trim() === '')
      return refuse(invalid('Choose a model.', 'model_required').error);
    const bytes = Buffer.from(JSON.stringify(chat));
    const call: RelayRequest = {
      callId: request.id,
      url: PLAYGROUND_PATH,
      pathModel: undefined,
      // Cookies and the like are nobody's business further on; the type was read by the console.
      headers: { 'content-type': 'application/json', via: request.headers.via },
      clientAddress: request.ip,
    };
    if (!this.relay.admit(PLAYGROUND_ROUTE, call, bytes.length, response)) return;
    const sessionId = readSessionCookie(request);
    this.relay.start(PLAYGROUND_ROUTE, call, bytes, response, {
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
