import { Controller, Get, Headers, Ip } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { DomainError } from '../../common/errors/domain-error.js';
import { ApiEnvelope } from '../../common/http/api-envelope.decorator.js';
import { networkOf } from '../auth/client-network.js';
import { Access } from '../auth/decorators/access.js';
import { Throttle } from '../auth/throttle.js';
import { TokensService } from '../tokens/tokens.service.js';
import { type LogLineView, logLineSchema } from './dto/log.dto.js';
import { LogsService } from './logs.service.js';

/** Of one network: enough to look at a log, too little to try keys. */
const RATE = { limit: 60, windowMs: 60_000 };

/** The log of one token, for whoever holds its key. */
@ApiTags('logs')
@Controller('api/log/token')
export class TokenLogController {
  constructor(
    private readonly tokens: TokensService,
    private readonly logs: LogsService,
    private readonly throttle: Throttle,
  ) {}

  /** The newest 100 lines; the key comes in the Authorization header, never in the address (LOG-1). */
  @Get()
  @Access('token')
  @ApiEnvelope(z.array(logLineSchema))
  async list(
    @Headers('authorization') authorization: string | undefined,
    @Ip() address: string,
  ): Promise<LogLineView[]> {
    await this.throttle.admit(`token-log:${networkOf(address)}`, RATE);
    const credential = (authorization ?? '').replace(/^Bearer\s+/i, '');
    const tokenId = await this.tokens.findIdByKey(credential);
    if (tokenId === null) throw new DomainError('token_invalid');
    return this.logs.ofToken(tokenId);
  }
}
