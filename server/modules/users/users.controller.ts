import { Body, Controller, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiEnvelope } from '../../common/http/api-envelope.decorator.js';
import type { Page } from '../../common/page.js';
import { pathId } from '../../common/query.js';
import { Access } from '../auth/decorators/access.js';
import { type Actor, CurrentActor } from '../auth/decorators/current-actor.js';
import {
  type UserCreate,
  userCreateSchema,
  type UserEdit,
  userEditSchema,
  type UserListQuery,
  userListQuerySchema,
  type UserManage,
  userManageResultSchema,
  userManageSchema,
  userPageSchema,
  type UserSearchQuery,
  userSearchQuerySchema,
} from './dto/user.dto.js';
import { userSchema, type UserView } from './user-view.js';
import { UsersService } from './users.service.js';

/** Accounts, for administrators. */
@ApiTags('users')
@Controller('api/user')
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @Get()
  @Access('admin')
  @ApiEnvelope(userPageSchema)
  list(@Query({ schema: userListQuerySchema }) query: UserListQuery): Promise<Page<UserView>> {
    return this.users.list({ ...query, keyword: '', group: '' });
  }

  @Get('search')
  @Access('admin')
  @ApiEnvelope(userPageSchema)
  search(@Query({ schema: userSearchQuerySchema }) query: UserSearchQuery): Promise<Page<UserView>> {
    return this.users.list(query);
  }

  @Get(':id')
  @Access('admin')
  @ApiEnvelope(userSchema)
  get(@CurrentActor() actor: Actor, @Param('id', { schema: pathId() }) id: number): Promise<UserView> {
    return this.users.get(actor, id);
  }

  @Post()
  @Access('admin')
  @ApiEnvelope()
  create(@CurrentActor() actor: Actor, @Body({ schema: userCreateSchema }) input: UserCreate): Promise<void> {
    return this.users.create(actor, input);
  }

  @Put()
  @Access('admin')
  @ApiEnvelope()
  edit(@CurrentActor() actor: Actor, @Body({ schema: userEditSchema }) input: UserEdit): Promise<void> {
    return this.users.edit(actor, input);
  }

  @Post('manage')
  @Access('admin')
  @ApiEnvelope(userManageResultSchema)
  manage(
    @CurrentActor() actor: Actor,
    @Body({ schema: userManageSchema }) input: UserManage,
  ): Promise<{ role: number; status: number }> {
    return this.users.manage(actor, input);
  }
}
