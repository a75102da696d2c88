import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiEnvelope } from '../../../common/api/api-envelope.decorator.js';
import { pathId } from '../../../common/query.js';
import { Access } from '../../../base/access/access.js';
import { type Actor, CurrentActor } from '../../../base/access/current-actor.js';
import {
  ledgerPageSchema,
  type LedgerPageView,
  type LedgerQuery,
  ledgerQuerySchema,
} from '../dto/ledger.dto.js';
import { LedgerService } from './ledger.service.js';

/** Money movements other than calls. */
@ApiTags('wallet')
@Controller('api/user')
export class LedgerController {
  constructor(private readonly ledger: LedgerService) {}

  /** The caller's own, newest first. */
  @Get('ledger')
  @Access('user')
  @ApiEnvelope(ledgerPageSchema)
  own(
    @CurrentActor() actor: Actor,
    @Query({ schema: ledgerQuerySchema }) query: LedgerQuery,
  ): Promise<LedgerPageView> {
    return this.ledger.own(actor, query);
  }

  /** Those of a user the caller may read. */
  @Get(':id/ledger')
  @Access('admin')
  @ApiEnvelope(ledgerPageSchema)
  ofUser(
    @CurrentActor() actor: Actor,
    @Param('id', { schema: pathId() }) id: number,
    @Query({ schema: ledgerQuerySchema }) query: LedgerQuery,
  ): Promise<LedgerPageView> {
    return this.ledger.ofUser(actor, id, query);
  }
}
