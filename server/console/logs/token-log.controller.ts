import { Controller, Get, Headers, Ip, Options, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { allowPreflight, openToAnyOrigin } from '../../common/api/any-origin.js';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { EnvelopeReply } from '../../common/envelope.js';
import { networkOf } from '../../common/client-network.js';
import { Access } from '../../base/access/access.js';
import { RateLimiter } from '../../infra/rate-limit/rate-limiter.js';
import { KeyHolder } from '../../gateway/tokens/key-holder.js';
import { logLineSchema, type TokenLogQuery, tokenLogQuerySchema } from './dto/log.dto.js';
import { TokenLogService } from './token-log.service.js';

/** Limit per network: enough to watch a log, too little to try keys. */
const RATE = { limit: 60, windowMs: 60_000 };

/** The log of one token, for holders of its key. */
@ApiTags('logs')
@Controller('api/log/token')
export class TokenLogController {
  constructor(
    private readonly holder: KeyHolder,
    private readonly logs: TokenLogService,
    private readonly throttle: RateLimiter,
  ) {}

  /**
   * Newest first, 100 lines a page unless the query wants fewer: by number (`p`), or from the cursor of the page before. The key
   * comes in the Authorization header, never in the address.
   */
  @Get()
  @Access('token')
  @ApiEnvelope(z.array(logLineSchema), { total: z.int(), next_cursor: z.string().nullable() })
  async list(
    @Headers('authorization') authorization: string | undefined,
    @Query('key') keyInAddress: unknown,
    @Query({ schema: tokenLogQuerySchema }) query: TokenLogQuery,
    @Ip() address: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EnvelopeReply> {
    openToAnyOrigin(reply);
    await this.throttle.admit(`token-log:${networkOf(address)}`, RATE);
    const { tokenId } = await this.holder.identify(authorization, keyInAddress, address);
    const { lines, total, nextCursor } = await this.logs.page(tokenId, query);
    return new EnvelopeReply(lines, '', { total, next_cursor: nextCursor });
  }

  @Options()
  @Access('public')
  @ApiExcludeEndpoint()
  preflight(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    allowPreflight(request, reply);
  }
}
