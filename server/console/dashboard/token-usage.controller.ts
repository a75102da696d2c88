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
import { BillingSummaryService } from './billing-summary.service.js';
import { tokenUsageSchema } from './dto/token-usage.dto.js';

/** Limit per network: enough to watch a balance, too little to try keys. */
const RATE = { limit: 60, windowMs: 60_000 };

/** Remaining quota of one token, for holders of its key. */
@ApiTags('tokens')
@Controller('api/usage/token')
export class TokenUsageController {
  constructor(
    private readonly holder: KeyHolder,
    private readonly summary: BillingSummaryService,
    private readonly throttle: RateLimiter,
  ) {}

  /** As newer clients of this API family ask; `code` is true and `message` `ok`. The key comes in the Authorization header. */
  @Get()
  @Access('token')
  @ApiEnvelope(tokenUsageSchema, { code: z.literal(true) })
  async usage(
    @Headers('authorization') authorization: string | undefined,
    @Query('key') keyInAddress: unknown,
    @Ip() address: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EnvelopeReply> {
    openToAnyOrigin(reply);
    await this.throttle.admit(`token-usage:${networkOf(address)}`, RATE);
    const caller = await this.holder.identify(authorization, keyInAddress, address);
    return new EnvelopeReply(await this.summary.tokenUsage(caller), 'ok', { code: true });
  }

  @Options()
  @Access('public')
  @ApiExcludeEndpoint()
  preflight(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    allowPreflight(request, reply);
  }
}
