import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { Access } from '../../base/access/access.js';
import { type Actor, CurrentActor } from '../../base/access/current-actor.js';
import { type TagUseQuery, tagUseQuerySchema, tagUseSchema, type TagUseView } from './dto/tag-use.dto.js';
import { TagUseService } from './tag-use.service.js';

/** Charges by tag and by end user. */
@ApiTags('dashboard')
@Controller('api/data')
export class TagUseController {
  constructor(private readonly uses: TagUseService) {}

  /** Use by tag or end user of every account and day in UTC: of the 50 that cost most, and of all others together. At most a year. */
  @Get('tags')
  @Access('admin')
  @ApiEnvelope(tagUseSchema)
  all(
    @CurrentActor() actor: Actor,
    @Query({ schema: tagUseQuerySchema }) query: TagUseQuery,
  ): Promise<TagUseView> {
    return this.uses.all(actor, query);
  }

  /** The caller's own use by tag or end user and day in UTC: of the 50 that cost most, and of all others together. At most 31 days. */
  @Get('self/tags')
  @Access('user')
  @ApiEnvelope(tagUseSchema)
  own(
    @CurrentActor() actor: Actor,
    @Query({ schema: tagUseQuerySchema }) query: TagUseQuery,
  ): Promise<TagUseView> {
    return this.uses.own(actor, query);
  }
}
