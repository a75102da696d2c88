import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import type { Page } from '../../common/page.js';
import { Access } from '../access/access.js';
import { AuditService } from './audit.service.js';
import {
  auditChainSchema,
  type AuditChainView,
  type AuditEventView,
  auditPageSchema,
  type AuditQuery,
  auditQuerySchema,
} from './dto/audit.dto.js';

/** The audit log, for root. There is no route that changes or removes a row. */
@ApiTags('audit')
@Controller('api/audit')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @Access('root')
  @ApiEnvelope(auditPageSchema)
  list(@Query({ schema: auditQuerySchema }) query: AuditQuery): Promise<Page<AuditEventView>> {
    return this.audit.list(query);
  }

  /** Checks that every row is unchanged and in its place. */
  @Get('chain')
  @Access('root')
  @ApiEnvelope(auditChainSchema)
  chain(): Promise<AuditChainView> {
    return this.audit.chain();
  }
}
