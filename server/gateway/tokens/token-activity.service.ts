import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import type { Actor } from '../../base/access/current-actor.js';
import { LastCalls } from '../../base/logs/last-calls.js';
import type { TokenActivityView } from './dto/token.dto.js';
import { type TokenRow, TokensRepository } from './tokens.repository.js';

/** The last call and the last refusal of a token, for its owner. */
@Injectable()
export class TokenActivity {
  constructor(
    private readonly tokens: TokensRepository,
    private readonly calls: LastCalls,
  ) {}

  /** Fails: not_found, also for a token of another account. */
  async of(actor: Actor, id: number): Promise<TokenActivityView> {
    const token = await this.tokens.find(actor.id, id);
    if (token === null) throw new DomainError('not_found');
    return { last_call: await this.lastCall(actor, token), last_refusal: lastRefusal(token) };
  }

  /** From the log; where it holds no line of the token, from the moment that booking wrote. */
  private async lastCall(actor: Actor, token: TokenRow): Promise<TokenActivityView['last_call']> {
    const call = await this.calls.ofToken({ userId: actor.id, tokenId: token.id });
    if (call !== null) return { at: call.at, model: call.model, request_id: call.requestId };
    const isUsed = token.usedQuota > 0 || token.accessedTime > token.createdTime;
    return isUsed ? { at: token.accessedTime, model: '', request_id: '' } : null;
  }
}

const lastRefusal = (token: TokenRow): TokenActivityView['last_refusal'] =>
  token.refusedAtMs === null
    ? null
    : {
        at: Math.floor(token.refusedAtMs / 1000),
        kind: token.refusedKind,
        message: token.refusedText,
      };
