import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { Access } from '../../base/access/access.js';
import { type Actor, CurrentActor } from '../../base/access/current-actor.js';
import { isOptionKey, optionRow } from '../../base/options/option-catalogue.js';
import {
  OptionHistory,
  type SavedVersion,
  type VersionChange,
} from '../../base/options/option-history.service.js';
import { compareDocuments } from './compare-documents.js';
import {
  type PriceRollback,
  priceRollbackSchema,
  type PriceVersionDetail,
  priceVersionDetailSchema,
  priceVersionIdSchema,
  type PriceVersionQuery,
  priceVersionQuerySchema,
  priceVersionSchema,
  type PriceVersionView,
} from './dto/price-version.dto.js';
import { PriceChangeLog } from './price-change-log.js';

const MAX_LIST = 100;
const USUAL_LIST = 20;

/** Earlier states of the price list, and the way back to them. */
@ApiTags('pricing')
@Controller('api/pricing/versions')
export class PriceVersionsController {
  constructor(
    private readonly history: OptionHistory,
    private readonly changes: PriceChangeLog,
  ) {}

  /** Newest first. */
  @Get()
  @Access('admin')
  @ApiEnvelope(z.array(priceVersionSchema))
  async list(
    @Query({ schema: priceVersionQuerySchema }) query: PriceVersionQuery,
  ): Promise<PriceVersionView[]> {
    const limit = query.size === 0 ? USUAL_LIST : Math.min(query.size, MAX_LIST);
    const versions = await this.history.priceVersions(query.before === 0 ? undefined : query.before, limit);
    return versions.map(present);
  }

  /** Changes of a version, entry by entry. */
  @Get(':id')
  @Access('admin')
  @ApiEnvelope(priceVersionDetailSchema)
  async show(@Param('id', { schema: priceVersionIdSchema }) id: number): Promise<PriceVersionDetail> {
    const { version, changes } = await this.history.priceVersion(id);
    return { ...present(version), changes: changes.map(presentChange) };
  }

  /** The whole price list back to what it was right after (or before) this version. A version of its own. */
  @Post(':id/rollback')
  @HttpCode(200)
  @Access('admin')
  @ApiEnvelope(z.array(z.string()))
  async rollBack(
    @CurrentActor() actor: Actor,
    @Param('id', { schema: priceVersionIdSchema }) id: number,
    @Body({ schema: priceRollbackSchema }) { to, note }: PriceRollback,
  ): Promise<string[]> {
    const changed = await this.history.rollBackPrices(actor, id, to, note);
    const how = `rolled the prices back to what they were ${to} version ${id}`;
    await this.changes.write(actor, { changed, how, back: { side: to, version_id: id } });
    return [...changed];
  }
}

function present(version: SavedVersion): PriceVersionView {
  return {
    id: version.id,
    created_at: Math.floor(version.createdAtMs / 1000),
    actor_id: version.actorId,
    actor: version.actorName,
    source: version.source,
    note: version.note,
    keys: [...version.keys],
  };
}

function presentChange({ key, oldValue, newValue }: VersionChange): PriceVersionDetail['changes'][number] {
  const entries = compareDocuments(oldValue ?? usualText(key), newValue);
  return {
    key,
    old_value: oldValue,
    new_value: newValue,
    entries: entries.map((entry) => ({
      name: entry.name,
      old_value: entry.oldValue,
      new_value: entry.newValue,
    })),
  };
}

/** Text of an option that is not stored. */
function usualText(key: string): string | null {
  if (!isOptionKey(key)) return null;
  const row = optionRow(key);
  return row.format(row.fallback);
}
