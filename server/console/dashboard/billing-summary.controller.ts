import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { refusal } from '../../relay-core/model/refusals.js';
import type { Caller } from '../../relay-core/model/call.js';
import { CallerDirectory } from '../../relay-core/ports/caller-directory.js';
import { Access } from '../../base/access/access.js';
import { dialectOf } from '../../gateway/http/dialect-of.js';
import { queryOf } from '../../gateway/http/relay-paths.js';
import { answer, refuse } from '../../gateway/http/relay-replies.js';
import { repeatsCredential } from '../../gateway/http/request-checks.js';
import { BillingSummaryService } from './billing-summary.service.js';

/** Balance and use of an API token, for clients that have nothing else. */
@ApiExcludeController()
@Controller(['dashboard/billing', 'v1/dashboard/billing'])
export class BillingSummaryController {
  constructor(
    private readonly callers: CallerDirectory,
    private readonly summary: BillingSummaryService,
  ) {}

  @Get('subscription')
  @Access('token')
  async subscription(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answerCaller(request, reply, (caller) => this.summary.subscription(caller));
  }

  /** Dates in the query mean nothing: the answer is of all time. */
  @Get('usage')
  @Access('token')
  async usage(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answerCaller(request, reply, (caller) => this.summary.usage(caller));
  }

  /** Errors have the shape of the relay, which these clients expect. */
  private async answerCaller(
    request: FastifyRequest,
    reply: FastifyReply,
    respond: (caller: Caller) => Promise<unknown>,
  ): Promise<void> {
    if (repeatsCredential(request.raw.rawHeaders)) {
      refuse(request, reply, refusal('keys-sent'));
      return;
    }
    const credential = dialectOf(request.url, request.headers).findCredential(
      request.headers,
      queryOf(request.url),
    );
    const caller = credential.ok ? await this.callers.identify(credential.value, request.ip) : credential;
    if (!caller.ok) {
      refuse(request, reply, caller.error);
      return;
    }
    try {
      answer(request, reply, 200, await respond(caller.value));
    } catch (cause) {
      refuse(request, reply, { ...refusal('figures-unreadable'), retryAfterMs: 1_000, cause });
    }
  }
}
