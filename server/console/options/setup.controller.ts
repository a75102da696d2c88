import { Body, Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { EnvelopeReply } from '../../common/envelope.js';
import { OwnHosts } from '../../common/api/own-hosts.js';
import { networkOf } from '../../common/client-network.js';
import { Access } from '../../base/access/access.js';
import { OpenInDemo } from '../../base/access/open-in-demo.js';
import { RateLimiter } from '../../infra/rate-limit/rate-limiter.js';
import { type Setup, setupSchema, setupStatusSchema, type SetupStatusView } from './dto/status.dto.js';
import { SetupService } from './setup.service.js';

const ATTEMPTS = { limit: 30, windowMs: 600_000 };

@ApiTags('set-up')
@Controller('api/setup')
export class SetupController {
  constructor(
    private readonly setup: SetupService,
    private readonly throttle: RateLimiter,
    private readonly hosts: OwnHosts,
  ) {}

  @Get()
  @Access('public')
  @ApiEnvelope(setupStatusSchema)
  status(@Req() request: FastifyRequest): Promise<SetupStatusView> {
    return this.setup.status(this.hosts.isKnownHost(request.host, request.headers));
  }

  @Post()
  @HttpCode(200)
  @Access('public')
  @OpenInDemo()
  @ApiEnvelope()
  async run(
    @Body({ schema: setupSchema }) input: Setup,
    @Req() request: FastifyRequest,
  ): Promise<EnvelopeReply> {
    await this.throttle.admit(`setup:${networkOf(request.ip)}`, ATTEMPTS);
    await this.setup.run(input, this.hosts.isKnownHost(request.host, request.headers));
    return new EnvelopeReply(undefined, 'System initialised');
  }
}
