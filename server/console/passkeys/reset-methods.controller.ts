import { Controller, Delete, Get, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { Access } from '../../base/access/access.js';
import { resetMethodsSchema, type ResetMethodsView } from './dto/reset-methods.dto.js';
import { ResetMethods } from './reset-methods.js';

/** Other ways to sign in, for the browser that has just reset a password. */
@ApiTags('account entry')
@Controller('api/user/reset/methods')
export class ResetMethodsController {
  constructor(private readonly methods: ResetMethods) {}

  @Get()
  @Access('public')
  @ApiEnvelope(resetMethodsSchema)
  list(@Req() request: FastifyRequest): Promise<ResetMethodsView> {
    return this.methods.list(request);
  }

  /** Takes all of them off and ends every login. */
  @Delete()
  @Access('public')
  @ApiEnvelope()
  release(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    return this.methods.release(request, reply);
  }
}
