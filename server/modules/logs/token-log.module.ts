import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { LogsModule } from './logs.module.js';
import { TokenLogController } from './token-log.controller.js';

/** The log of one token, apart from the logs module, which everybody who writes a line depends on. */
@Module({
  imports: [AuthModule, LogsModule, TokensModule],
  controllers: [TokenLogController],
})
export class TokenLogModule {}
