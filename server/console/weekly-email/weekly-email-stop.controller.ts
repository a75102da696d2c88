import { Controller, Get, Post, Query, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RAW_ROUTE } from '../../common/api/raw-route.js';
import { networkOf } from '../../common/client-network.js';
import { languageOf } from '../../common/language.js';
import { cleanLine } from '../../common/text.js';
import { RateLimiter } from '../../infra/rate-limit/rate-limiter.js';
import { Access } from '../../base/access/access.js';
import { OptionsService } from '../../base/options/options.service.js';
import { ServerAddress } from '../../base/options/server-address.js';
import { type StopQuery, stopQuerySchema } from './dto/weekly-email.dto.js';
import { type StopState, stopPage } from './stop-page.js';
import { type LinkedAccount, WeeklyEmails } from './weekly-emails.service.js';

/** Requests of one network. */
const RATE = { limit: 60, windowMs: 60_000 };

/** The link in each weekly e-mail, without a sign-in: GET shows a page and changes nothing, POST stops the e-mail. */
@ApiExcludeController()
@Controller('api/user/weekly_email/stop')
export class WeeklyEmailStopController {
  constructor(
    private readonly emails: WeeklyEmails,
    private readonly options: OptionsService,
    private readonly server: ServerAddress,
    private readonly throttle: RateLimiter,
  ) {}

  @Get()
  @Access('notify')
  async ask(
    @Query({ schema: stopQuerySchema }) query: StopQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const account = await this.accountOf(query, request);
    this.show(account === null ? 'bad-link' : 'ask', account, request, reply);
  }

  /** Mail programs send `List-Unsubscribe=One-Click` (RFC 8058); the body is not looked at. */
  @Post()
  @Access('notify')
  @RouteConfig(RAW_ROUTE)
  async stop(
    @Query({ schema: stopQuerySchema }) query: StopQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const account = await this.accountOf(query, request);
    if (account !== null) await this.emails.stop(account);
    this.show(account === null ? 'bad-link' : 'stopped', account, request, reply);
  }

  private async accountOf(
    { account, signature }: StopQuery,
    request: FastifyRequest,
  ): Promise<LinkedAccount | null> {
    await this.throttle.admit(`weekly-email-stop:${networkOf(request.ip)}`, RATE);
    return account === 0 || signature === '' ? null : this.emails.linked(account, signature);
  }

  private show(
    state: StopState,
    account: LinkedAccount | null,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    const language = account?.language ?? languageOf(request.headers['accept-language']);
    const page = stopPage(state, {
      language,
      systemName: cleanLine(this.options.values().SystemName),
      settingsUrl: this.server.page('/personal'),
    });
    void reply
      .status(state === 'bad-link' ? 400 : 200)
      .type('text/html; charset=utf-8')
      .header('X-Robots-Tag', 'noindex')
      .send(page);
  }
}
