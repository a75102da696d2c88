import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { DomainError } from '../../common/errors/domain-error.js';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { EnvelopeReply } from '../../common/envelope.js';
import { Env } from '../../config/env.js';
import { Clock } from '../../common/clock.js';
import { Access } from '../../base/access/access.js';
import { ThrottlePageReads } from '../../base/access/throttle-groups.js';
import { statusSchema, type StatusView } from './dto/status.dto.js';
import { OptionsService } from '../../base/options/options.service.js';
import { presentStatus } from './present-status.js';
import { SetupCompletion } from './setup-completion.js';

const PING_KEPT_MS = 10_000;

/** Public information for guests. */
@ApiTags('public')
@Controller('api')
export class StatusController {
  private lastPingMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly options: OptionsService,
    private readonly setup: SetupCompletion,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly env: Env,
    private readonly clock: Clock,
  ) {}

  @Get('status')
  @Access('public')
  @ThrottlePageReads()
  @ApiEnvelope(statusSchema)
  async status(): Promise<StatusView> {
    return presentStatus(this.options.values(), this.env, await this.setup.isDone());
  }

  @Get('notice')
  @Access('public')
  @ThrottlePageReads()
  @ApiEnvelope(z.string())
  notice(): string {
    return this.options.values().Notice;
  }

  @Get('about')
  @Access('public')
  @ThrottlePageReads()
  @ApiEnvelope(z.string())
  about(): string {
    return this.options.values().About;
  }

  @Get('home_page_content')
  @Access('public')
  @ThrottlePageReads()
  @ApiEnvelope(z.string())
  homePageContent(): string {
    return this.options.values().HomePageContent;
  }

  @Get('user-agreement')
  @Access('public')
  @ThrottlePageReads()
  @ApiEnvelope(z.string())
  userAgreement(): string {
    return this.options.values()['legal.user_agreement'];
  }

  @Get('privacy-policy')
  @Access('public')
  @ThrottlePageReads()
  @ApiEnvelope(z.string())
  privacyPolicy(): string {
    return this.options.values()['legal.privacy_policy'];
  }

  /** Checks that the server and its database answer; the database is queried every 10 s at most. */
  @Get('status/test')
  @Access('admin')
  @ApiEnvelope()
  async test(): Promise<EnvelopeReply> {
    if (this.clock.monotonicMs() - this.lastPingMs > PING_KEPT_MS) {
      await this.dataSource.query('SELECT 1').catch(() => {
        throw new DomainError('store_unavailable');
      });
      this.lastPingMs = this.clock.monotonicMs();
    }
    return new EnvelopeReply(undefined, 'Server is running');
  }
}
