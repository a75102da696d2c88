import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { ApiEnvelope } from '../../../common/api/api-envelope.decorator.js';
import { Access } from '../../../base/access/access.js';
import { type Actor, CurrentActor } from '../../../base/access/current-actor.js';
import { usableGroupsOf } from '../../../base/options/groups.js';
import { OptionsService } from '../../../base/options/options.service.js';
import { AbilitiesRepository } from '../state/abilities.repository.js';
import { modelsOf, nameOfType, servedTypes } from '../state/channel-types.js';
import { type CatalogueModel, catalogueModelSchema } from './dto/channel.dto.js';

/** Which models there are: built in, behind enabled channels, and for the caller. */
@ApiTags('models')
@Controller('api')
export class ModelListsController {
  constructor(
    private readonly abilities: AbilitiesRepository,
    private readonly options: OptionsService,
  ) {}

  /** Built-in model names by channel type; prefills a new channel. */
  @Get('models')
  @Access('user')
  @ApiEnvelope(z.record(z.string(), z.array(z.string())))
  byType(): Record<string, readonly string[]> {
    return Object.fromEntries(servedTypes().map((code) => [String(code), modelsOf(code)]));
  }

  /** Every built-in model of every provider. */
  @Get('channel/models')
  @Access('admin')
  @ApiEnvelope(z.array(catalogueModelSchema))
  catalogue(): CatalogueModel[] {
    const owners = new Map<string, string>();
    for (const code of servedTypes()) {
      for (const model of modelsOf(code)) {
        if (!owners.has(model)) owners.set(model, nameOfType(code));
      }
    }
    return [...owners].map(([id, owner]) => ({ id, object: 'model', created: 0, owned_by: owner }));
  }

  /** Distinct models behind enabled channels. */
  @Get('channel/models_enabled')
  @Access('admin')
  @ApiEnvelope(z.array(z.string()))
  async enabled(): Promise<string[]> {
    return this.abilities.enabledModels();
  }

  /** Distinct models over the groups the caller may use. */
  @Get('user/models')
  @Access('user')
  @ApiEnvelope(z.array(z.string()))
  async ofCaller(@CurrentActor() actor: Actor): Promise<string[]> {
    const groups = new Set([...usableGroupsOf(this.options.values(), actor.group).keys(), actor.group]);
    return this.abilities.enabledModels([...groups]);
  }
}
