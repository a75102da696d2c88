import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { ApiEnvelope } from '../../../common/api/api-envelope.decorator.js';
import { Access } from '../../../base/access/access.js';
import { ThrottlePageReads } from '../../../base/access/throttle-groups.js';
import { type UptimeGroup, uptimeGroupSchema } from '../dto/uptime.dto.js';
import { StatusPages } from './status-pages.js';

@ApiTags('public')
@Controller('api/uptime')
export class UptimeController {
  constructor(private readonly pages: StatusPages) {}

  /** The status pages of the dashboard, at most a minute old. */
  @Get('status')
  @Access('public')
  @ThrottlePageReads()
  @ApiEnvelope(z.array(uptimeGroupSchema))
  status(): Promise<UptimeGroup[]> {
    return this.pages.list();
  }
}
