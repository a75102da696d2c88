import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { networkOf } from '../../../common/client-network.js';
import { DomainError } from '../../../common/errors/domain-error.js';
import { RateLimiter } from '../../../infra/rate-limit/rate-limiter.js';
import { PendingVerifications } from '../../../infra/pending-verifications/pending-verifications.js';
import { digestOf } from '../sessions.service.js';

export const RESET_LINK_LIFE_MS = 600_000;
const TOKEN_BYTES = 32;
const TRIES = { limit: 20, windowMs: 1_200_000 };

/** What a link was made for. It dies with any change of password, role, status (`authVersion`) or address. */
const linkSchema = z.object({ userId: z.int(), folded: z.string(), authVersion: z.int() });
export type ResetLink = z.infer<typeof linkSchema>;

/** Links for who forgot a password: the newest of an address counts, once, for minutes. Kept under digests of their tokens. */
@Injectable()
export class ResetLinks {
  constructor(
    private readonly steps: PendingVerifications,
    private readonly throttle: RateLimiter,
  ) {}

  /** @param link  account 0 for one that opens nothing. @returns the token; it is not kept */
  async issue(link: ResetLink): Promise<string> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const digest = digestOf(token);
    await this.steps.put(linkKey(digest), link, RESET_LINK_LIFE_MS);
    await this.steps.put(newestKey(link.folded), digest, RESET_LINK_LIFE_MS);
    return token;
  }

  /**
   * What a link was made for; it is not used up.
   * @param folded  the address it was sent to, as the caller says
   * Fails: DomainError `reset_link_invalid`, `too_many_requests`.
   */
  async open(token: string, folded: string, ip: string): Promise<ResetLink> {
    await this.throttle.admit(`reset:confirm:${networkOf(ip)}`, TRIES);
    const digest = digestOf(token);
    const newest = await this.steps.look(newestKey(folded));
    const link =
      newest === digest ? linkSchema.safeParse(await this.steps.look(linkKey(digest))).data : undefined;
    if (link === undefined || link.folded !== folded || link.userId === 0)
      throw new DomainError('reset_link_invalid');
    return link;
  }

  /** Uses a link up. @returns false when it was: of two at once, one gets it */
  async take(token: string): Promise<boolean> {
    return (await this.steps.take(linkKey(digestOf(token)))) !== undefined;
  }
}

const linkKey = (digest: string): string => `reset:${digest}`;
/** An older link of the same address is void. */
const newestKey = (folded: string): string => `reset-newest:${digestOf(folded)}`;
