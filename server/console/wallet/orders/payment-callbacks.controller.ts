import { Controller, Get, Headers, Post, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RAW_ROUTE } from '../../../common/api/raw-route.js';
import { Access } from '../../../base/access/access.js';
import { ThrottlePayments } from '../../../base/access/throttle-groups.js';
import { PaymentNotices } from './payment-notices.service.js';
import { PaymentProviders } from '../payments/payment-providers.js';

/** Largest notification that is read; real ones have a few hundred bytes. */
const MAX_NOTICE_BYTES = 64 * 1024;

/** Notifications of payment services. Their signature is the only login there is. */
@Controller('api')
export class PaymentCallbacksController {
  constructor(
    private readonly notices: PaymentNotices,
    private readonly providers: PaymentProviders,
  ) {}

  /** Answers `success` once its report is stored, `fail` otherwise: the service repeats until it reads `success`. */
  @Get('user/epay/notify')
  @Access('notify')
  @ThrottlePayments()
  @RouteConfig(RAW_ROUTE)
  @ApiExcludeEndpoint()
  async epayByQuery(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const mark = request.url.indexOf('?');
    await this.answerEpay(mark === -1 ? '' : request.url.slice(mark + 1), reply);
  }

  @Post('user/epay/notify')
  @Access('notify')
  @ThrottlePayments()
  @RouteConfig(RAW_ROUTE)
  @ApiExcludeEndpoint()
  async epayByForm(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answerEpay(textOf(request.body), reply);
  }

  /** Anything but 200 makes Stripe repeat: only when something of ours was away, or the signature is wrong. */
  @Post('stripe/webhook')
  @Access('notify')
  @ThrottlePayments()
  @RouteConfig(RAW_ROUTE)
  @ApiExcludeEndpoint()
  async stripe(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Headers('stripe-signature') signature = '',
  ): Promise<void> {
    const answer = await this.notices.take(this.providers.stripe, { text: textOf(request.body), signature });
    const status = answer === 'later' ? 500 : answer === 'refused' ? 400 : 200;
    void reply.status(status).send({ received: status === 200 });
  }

  private async answerEpay(text: string, reply: FastifyReply): Promise<void> {
    const answer =
      text.length > MAX_NOTICE_BYTES
        ? 'refused'
        : await this.notices.take(this.providers.epay, { text, signature: '' });
    void reply
      .status(200)
      .type('text/plain; charset=utf-8')
      .send(answer === 'done' ? 'success' : 'fail');
  }
}

const textOf = (body: unknown): string => (Buffer.isBuffer(body) ? body.toString('utf8') : '');
