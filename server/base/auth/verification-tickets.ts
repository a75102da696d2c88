import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Json } from '../../infra/shared-store/shared-store.js';
import { PendingVerifications } from '../../infra/pending-verifications/pending-verifications.js';
import { digestOf } from './sessions.service.js';

const TICKET_BYTES = 32;

/**
 * Pending verifications that have to be finished within minutes: a login that waits for its code, a passkey challenge. Kept under a
 * digest, so that any instance can finish it; a ticket of one kind is invalid for another.
 */
@Injectable()
export class VerificationTickets {
  constructor(private readonly steps: PendingVerifications) {}

  /** @returns the ticket; it is not kept. */
  async issue(kind: string, content: Json, lifeMs: number): Promise<string> {
    const ticket = randomBytes(TICKET_BYTES).toString('base64url');
    await this.put({ kind, ticket }, content, lifeMs);
    return ticket;
  }

  /** Like `issue`, with a name from outside (a challenge). */
  async put(
    { kind, ticket }: { readonly kind: string; readonly ticket: string },
    content: Json,
    lifeMs: number,
  ): Promise<void> {
    await this.steps.put(keyOf(kind, ticket), content, lifeMs);
  }

  /** Stored content, undefined when it has expired. */
  async look(kind: string, ticket: string): Promise<Json | undefined> {
    return this.steps.look(keyOf(kind, ticket));
  }

  /** Like `look`, and removes it: of many concurrent calls one gets the content. */
  async take(kind: string, ticket: string): Promise<Json | undefined> {
    return this.steps.take(keyOf(kind, ticket));
  }
}

const keyOf = (kind: string, ticket: string): string => `step:${kind}:${digestOf(ticket)}`;
