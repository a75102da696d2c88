import { Readable } from 'node:stream';
import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ZonedTime } from '../../common/time-zone.js';
import { Clock } from '../../common/clock.js';
import { Access } from '../../base/access/access.js';
import { type Actor, CurrentActor } from '../../base/access/current-actor.js';
import { AccountZones } from '../../base/users/account-zones.js';
import {
  type LogExportQuery,
  logExportQuerySchema,
  type SelfLogExportQuery,
  selfLogExportQuerySchema,
} from './dto/log.dto.js';
import { LogExportService } from './log-export.service.js';
import { toLogFilter } from './log-filter.js';
import type { LogFilter } from '../../base/logs/logs.repository.js';

const CSV_FILE = { content: { 'text/csv': { schema: { type: 'string' as const } } } };

interface ExportRequest {
  readonly filter: LogFilter;
  /** Empty = that of the account. */
  readonly zone: string;
  readonly withSums: boolean;
}

/** The usage log as a file, its times in one time zone. The filters are those of the lists; one that cannot be read is refused instead of left out. */
@ApiTags('logs')
@Controller('api/log')
export class LogExportController {
  constructor(
    private readonly files: LogExportService,
    private readonly zones: AccountZones,
    private readonly clock: Clock,
  ) {}

  /** Lines of all accounts as CSV, newest first. */
  @Get('export')
  @Access('admin')
  @ApiOkResponse(CSV_FILE)
  async all(
    @CurrentActor() actor: Actor,
    @Query({ schema: logExportQuerySchema }) query: LogExportQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.send(
      actor,
      { filter: toLogFilter(query), zone: query.time_zone, withSums: query.sums },
      reply,
    );
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
    await this.send(
      actor,
      { filter: toLogFilter(query, actor.id), zone: query.time_zone, withSums: query.sums },
      reply,
    );
  }

  /** A reader that is slow or gone stops the reading of the log: pages are only asked for when the one before was taken. */
  private async send(actor: Actor, wanted: ExportRequest, reply: FastifyReply): Promise<void> {
    await this.files.admit(actor);
    const time = ZonedTime.of(await this.zones.zoneFor(actor.id, wanted.zone));
    const day = time.format(Math.floor(this.clock.nowMs() / 1000)).slice(0, 10);
    void reply
      .type('text/csv; charset=utf-8')
      .header('Content-Disposition', `attachment; filename="log-${day}.csv"`)
      .send(
        Readable.from(this.files.write({ filter: wanted.filter, time, withSums: wanted.withSums }), {
          objectMode: false,
          highWaterMark: 64 * 1024,
        }),
      );
  }
}
