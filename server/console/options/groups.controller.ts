import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { Access } from '../../base/access/access.js';
import { type Actor, CurrentActor } from '../../base/access/current-actor.js';
import { groupMapSchema } from './dto/group.dto.js';
import { DEFAULT_GROUP, type GroupView, usableGroupsOf } from '../../base/options/groups.js';
import { OptionsService } from '../../base/options/options.service.js';

/** Groups, a read model over the options. */
@ApiTags('groups')
@Controller('api')
export class GroupsController {
  constructor(private readonly options: OptionsService) {}

  /** Names of all groups. */
  @Get('group')
  @Access('admin')
  @ApiEnvelope(z.array(z.string()))
  names(): string[] {
    return Object.keys(this.options.values().GroupRatio);
  }

  @Get('user/groups')
  @Access('public')
  @ApiEnvelope(groupMapSchema)
  ofGuests(): Record<string, GroupView> {
    return Object.fromEntries(usableGroupsOf(this.options.values(), DEFAULT_GROUP));
  }

  @Get('user/self/groups')
  @Access('user')
  @ApiEnvelope(groupMapSchema)
  own(@CurrentActor() actor: Actor): Record<string, GroupView> {
    const options = this.options.values();
    // Nothing is offered: consoles then explain it, and a token without a group goes by the account's own.
    if (Object.keys(options.UserUsableGroups).length === 0) return {};
    return Object.fromEntries(usableGroupsOf(options, actor.group));
  }
}
