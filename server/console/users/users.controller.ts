import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import type { Page } from '../../common/page.js';
import { pathId } from '../../common/query.js';
import { Access } from '../../base/access/access.js';
import { type Actor, CurrentActor } from '../../base/access/current-actor.js';
import { OwnSessions } from '../../base/auth/own-sessions.js';
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
import { UserDirectory } from './user-directory.js';
import { userSchema, type UserView } from '../../base/users/user-view.js';
import { UserAdministration } from './user-administration.js';
import { UserCreation } from './user-creation.js';
import { UserEditing } from './user-editing.js';

/** Accounts, for administrators. */
@ApiTags('users')
@Controller('api/user')
export class UsersController {
  constructor(
    private readonly creation: UserCreation,
    private readonly editing: UserEditing,
    private readonly acts: UserAdministration,
    private readonly directory: UserDirectory,
    private readonly sessions: OwnSessions,
  ) {}

  @Get()
  @Access('admin')
  @ApiEnvelope(userPageSchema)
  list(@Query({ schema: userListQuerySchema }) query: UserListQuery): Promise<Page<UserView>> {
    return this.directory.list({ ...query, keyword: '', group: '', role: 0, status: 0 });
  }

  @Get('search')
  @Access('admin')
  @ApiEnvelope(userPageSchema)
  search(@Query({ schema: userSearchQuerySchema }) query: UserSearchQuery): Promise<Page<UserView>> {
    return this.directory.list(query);
  }

  @Get(':id')
  @Access('admin')
  @ApiEnvelope(userSchema)
  get(@CurrentActor() actor: Actor, @Param('id', { schema: pathId() }) id: number): Promise<UserView> {
    return this.directory.get(actor, id);
  }

  @Post()
  @Access('admin')
  @ApiEnvelope()
  create(@CurrentActor() actor: Actor, @Body({ schema: userCreateSchema }) input: UserCreate): Promise<void> {
    return this.creation.create(actor, input);
  }

  @Put()
  @Access('admin')
  @ApiEnvelope()
  async edit(
    @CurrentActor() actor: Actor,
    @Body({ schema: userEditSchema }) input: UserEdit,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    // All logins ended with the old password; this browser gets a new one.
    if (await this.editing.edit(actor, input, request.ip)) await this.sessions.reopen(actor, request, reply);
  }

  /** Deregisters the account, as `manage` with `delete` does. The row stays, and with it the books. */
  @Delete(':id')
  @Access('admin')
  @ApiEnvelope()
  async remove(@CurrentActor() actor: Actor, @Param('id', { schema: pathId() }) id: number): Promise<void> {
    await this.acts.manage(actor, { id, action: 'delete' });
  }

  /** Clears what is personal of a deregistered account and takes it off every list. Its settlements, ledger, log and audit rows stay. */
  @Post(':id/purge')
  @HttpCode(200)
  @Access('root')
  @ApiEnvelope()
  async purge(@CurrentActor() actor: Actor, @Param('id', { schema: pathId() }) id: number): Promise<void> {
    await this.acts.purge(actor, id);
  }

  @Post('manage')
  @Access('admin')
  @ApiEnvelope(userManageResultSchema)
  manage(
    @CurrentActor() actor: Actor,
    @Body({ schema: userManageSchema }) input: UserManage,
  ): Promise<{ role: number; status: number }> {
    return this.acts.manage(actor, input);
  }
}
