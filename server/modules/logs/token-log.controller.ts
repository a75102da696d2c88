import { Controller, Get, Headers, Ip, Options, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { allowPreflight, openToAnyOrigin } from '../../common/http/any-origin.js';
import { ApiEnvelope } from '../../common/http/api-envelope.decorator.js';
import { networkOf } from '../auth/client-network.js';
import { Access } from '../auth/decorators/access.js';
import { Throttle } from '../auth/throttle.js';
import { KeyHolder } from '../tokens/key-holder.js';
import { type LogLineView, logLineSchema } from './dto/log.dto.js';
import { LogsService } from './logs.service.js';

/** Of one network: enough to look at a log, too little to try keys. */
const RATE = { limit: 60, windowMs: 60_000 };

/** The log of one token, for whoever holds its key. */
@ApiTags('logs')
@Controller('api/log/token')
export class TokenLogController {
  constructor(
    private readonly holder: KeyHolder,
    private readonly logs: LogsService,
    private readonly throttle: Throttle,
  ) {}

  /** The newest 100 lines; the key comes in the Authorization header, never in the address (LOG-1). */
  @Get()
  @Access('token')
  @ApiEnvelope(z.array(logLineSchema))
  async list(
    @Headers('authorization') authorization: string | undefined,
    @Query('key') keyInAddress: unknown,
    @Ip() address: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LogLineView[]> {
    openToAnyOrigin(reply);
    await this.throttle.admit(`token-log:${networkOf(address)}`, RATE);
    const { tokenId } = await this.holder.identify(authorization, keyInAddress, address);
    return this.logs.ofToken(tokenId);
  }

  @Options()
  @Access('public')
  @ApiExcludeEndpoint()
  preflight(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    allowPreflight(request, reply);
  }
}
