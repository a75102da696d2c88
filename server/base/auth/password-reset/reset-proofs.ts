import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { hostCookieAttributes, hostCookieName, readSignedCookie } from '../../../common/api/signed-cookie.js';
import { USER_STATUS } from '../../access/user.codes.js';
import type { Account } from '../../users/account.js';
import { AccountsService } from '../../users/accounts.service.js';
import { TwoFactorService } from '../two-factor/two-factor.service.js';
import { VerificationTickets } from '../verification-tickets.js';

const KIND = 'reset-proof';
const COOKIE = 'password_reset';
/** Time to read what still signs in. */
const LIFE_MS = 10 * 60_000;

const proofSchema = z.object({ userId: z.int(), authVersion: z.int() });

/** The account of a proof, and whether an authenticator app guards it. */
export interface ProvenReset {
  readonly account: Account;
  readonly hasSecondStep: boolean;
}

/**
 * Marks the browser that has just reset a password, for ten minutes: it is shown what else signs in. A proof dies with any later change
 * of password, role or status (`authVersion`).
 */
@Injectable()
export class ResetProofs {
  constructor(
    private readonly tickets: VerificationTickets,
    private readonly accounts: AccountsService,
    private readonly twoFactor: TwoFactorService,
  ) {}

  async issue(userId: number, reply: FastifyReply): Promise<void> {
    const account = await this.accounts.findIdentity(userId);
    if (account === null) return;
    const ticket = await this.tickets.issue(KIND, { userId, authVersion: account.authVersion }, LIFE_MS);
    const { request } = reply;
    void reply.setCookie(hostCookieName(request, COOKIE), ticket, {
      ...attributesOf(request),
      maxAge: LIFE_MS / 1000,
    });
  }

  /** The account whose password this browser has reset; null = none, or too long ago. */
  async look(request: FastifyRequest): Promise<ProvenReset | null> {
    const ticket = readSignedCookie(request, hostCookieName(request, COOKIE));
    const proof = proofSchema.safeParse(ticket === null ? undefined : await this.tickets.look(KIND, ticket));
    if (!proof.success) return null;
    const account = await this.accounts.findIdentity(proof.data.userId);
    if (
      account === null ||
      account.status !== USER_STATUS.active ||
      account.authVersion !== proof.data.authVersion
    )
      return null;
    return { account, hasSecondStep: await this.twoFactor.isEnabled(account.id) };
  }

  /** Uses the proof of this browser up. @returns false when it was: of two at once, one gets it */
  async take(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const ticket = readSignedCookie(request, hostCookieName(request, COOKIE));
    void reply.clearCookie(hostCookieName(request, COOKIE), attributesOf(request));
    return ticket !== null && (await this.tickets.take(KIND, ticket)) !== undefined;
  }
}

const attributesOf = (request: FastifyRequest) => hostCookieAttributes(request, 'strict');
