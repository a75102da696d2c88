import { Module } from '@nestjs/common';
import { ExpiringTokens } from './expiring-tokens.js';
import { TokenNames } from './token-names.js';

/** Apart from the tokens module, so that the log and summaries can name tokens. */
@Module({ providers: [ExpiringTokens, TokenNames], exports: [ExpiringTokens, TokenNames] })
export class TokenNamesModule {}
