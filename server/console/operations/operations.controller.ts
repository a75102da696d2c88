import { Controller, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { languageOf } from '../../common/language.js';
import type { Page } from '../../common/page.js';
import { pathId } from '../../common/query.js';
import { Access } from '../../base/access/access.js';
import { type Actor, CurrentActor } from '../../base/access/current-actor.js';
import { OpenWithoutDatabase } from '../../base/access/open-without-database.js';
import { RateLimiter } from '../../infra/rate-limit/rate-limiter.js';
import {
  alertPageSchema,
  type AlertQuery,
  alertQuerySchema,
  alertTestSchema,
  type AlertView,
} from './dto/alert.dto.js';
import { operationsJobsSchema, type OperationsJobsView } from './dto/job.dto.js';
import { operationsStatusSchema, type OperationsStatusView } from './dto/status.dto.js';
import { AlertsService } from './alerts/alerts.service.js';
import { HistoryAcceptance } from './history-acceptance.js';
import { JobsService } from './jobs/jobs.service.js';
import { OperationsService } from './operations.service.js';
import type { Delivery } from './alerts/delivery.js';

const TESTS = { limit: 10, windowMs: 600_000 };
const RUNS = { limit: 30, windowMs: 600_000 };

const jobName = () =>
  z
    .string()
    .regex(/^[a-z]+(-[a-z]+)*$/)
    .max(64);

/** State of the installation, for administrators. */
@ApiTags('operations')
@Controller('api/operations')
export class OperationsController {
  constructor(
    private readonly operations: OperationsService,
    private readonly alertsService: AlertsService,
    private readonly throttle: RateLimiter,
    private readonly acceptance: HistoryAcceptance,
    private readonly jobsService: JobsService,
  ) {}

  /** Instances, workers, stores, pending money, and the faults of each. At most two seconds old. */
  @Get('status')
  @Access('admin')
  @OpenWithoutDatabase()
  @ApiEnvelope(operationsStatusSchema)
  status(@CurrentActor() actor: Actor, @Req() request: FastifyRequest): Promise<OperationsStatusView> {
    return this.operations.status(actor, languageFor(request));
  }

  /** Alerts that last and those that are over, newest first. */
  @Get('alerts')
  @Access('admin')
  @ApiEnvelope(alertPageSchema)
  alerts(
    @Query({ schema: alertQuerySchema }) query: AlertQuery,
    @Req() request: FastifyRequest,
  ): Promise<Page<AlertView>> {
    return this.alertsService.list(query, languageFor(request));
  }

  /** Acknowledges an alert: receivers are sent no more of it but its end. */
  @Post('alerts/:id/acknowledge')
  @HttpCode(200)
  @Access('admin')
  @ApiEnvelope()
  acknowledge(@CurrentActor() actor: Actor, @Param('id', { schema: pathId() }) id: number): Promise<void> {
    return this.alertsService.acknowledge(actor, id);
  }

  /** Recurring jobs: those of all instances, and those of the answering worker. */
  @Get('jobs')
  @Access('admin')
  @ApiEnvelope(operationsJobsSchema)
  jobs(@Req() request: FastifyRequest): Promise<OperationsJobsView> {
    return this.jobsService.list(languageFor(request));
  }

  /** Starts a recurring job before its time. */
  @Post('jobs/:name/run')
  @HttpCode(200)
  @Access('root')
  @ApiEnvelope()
  async runJob(
    @CurrentActor() actor: Actor,
    @Param('name', { schema: jobName() }) name: string,
  ): Promise<void> {
    await this.throttle.admit(`job-run:${actor.id}`, RUNS);
    return this.jobsService.run(actor, name);
  }

  /** Accepts a database that was rolled back. Needs a login or proof of the last ten minutes. */
  @Post('history/accept')
  @HttpCode(200)
  @Access('root')
  @ApiEnvelope()
  acceptHistory(@CurrentActor() actor: Actor): Promise<void> {
    return this.acceptance.accept(actor);
  }

  /** Sends a test to the recipients of the stored settings, and returns the result. */
  @Post('alerts/test')
  @HttpCode(200)
  @Access('root')
  @ApiEnvelope(alertTestSchema)
  async test(@CurrentActor() actor: Actor): Promise<Delivery> {
    await this.throttle.admit(`alert-test:${actor.id}`, TESTS);
    return this.alertsService.test(actor);
  }
}

const languageFor = (request: FastifyRequest) => languageOf(request.headers['accept-language']);
