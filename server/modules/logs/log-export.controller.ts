import { Readable } from 'node:stream';
import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Clock } from '../../relay-core/ports/clock.js';
import { Access } from '../auth/decorators/access.js';
import { type Actor, CurrentActor } from '../auth/decorators/current-actor.js';
import {
  type LogExportQuery,
  logExportQuerySchema,
  type SelfLogExportQuery,
  selfLogExportQuerySchema,
} from './dto/log.dto.js';
import { LogExportService } from './log-export.service.js';
import { toLogFilter } from './log-filter.js';
import type { LogFilter } from './logs.repository.js';

const CSV_FILE = { content: { 'text/csv': { schema: { type: 'string' as const } } } };

/** The usage log as a file. The filters are those of the lists; one that cannot be read is refused instead of left out. */
@ApiTags('logs')
@Controller('api/log')
export class LogExportController {
  constructor(
    private readonly files: LogExportService,
    private readonly clock: Clock,
  ) {}

  /** Everybody's lines as CSV, newest first. */
  @Get('export')
  @Access('admin')
  @ApiOkResponse(CSV_FILE)
  async all(
    @CurrentActor() actor: Actor,
    @Query({ schema: logExportQuerySchema }) query: LogExportQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.send(actor, toLogFilter(query), reply);
  }

  /** The caller's own lines as CSV, newest first. */
  @Get('self/export')
  @Access('user')
  @ApiOkResponse(CSV_FILE)
  async own(
    @CurrentActor() actor: Actor,
    @Query({ schema: selfLogExportQuerySchema }) query: SelfLogExportQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.send(actor, toLogFilter(query, actor.id), reply);
  }

  /** A reader that is slow or gone stops the reading of the log: pages are only asked for when the one before was taken. */
  private async send(actor: Actor, filter: LogFilter, reply: FastifyReply): Promise<void> {
    await this.files.admit(actor);
    const day = new Date(this.clock.nowMs()).toISOString().slice(0, 10);
    void reply
      .type('text/csv; charset=utf-8')
      .header('Content-Disposition', `attachment; filename="log-${day}.csv"`)
      .send(Readable.from(this.files.write(filter), { objectMode: false, highWaterMark: 64 * 1024 }));
  }
}
