import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DomainError } from '../../common/errors/domain-error.js';
import { Env } from '../../config/env.js';
import { PendingVerifications } from '../../infra/pending-verifications/pending-verifications.js';
import type { Actor } from '../../base/access/current-actor.js';
import { browserOf, ensureBrowser } from '../../base/auth/browser-cookie.js';
import { digestOf } from '../../base/auth/sessions.service.js';
import { IDENTITY_PROVIDERS, type IdentityProvider } from '../../base/access/identity-providers.js';

/** From leaving for the provider to coming back. */
const FLOW_LIFE_MS = 600_000;
const STATE_BYTES = 32;

const flowSchema = z.object({
  /** Digest of the cookie of the browser that began it. */
  browser: z.string(),
  /** Null: begun by a client that names none; any of those with a redirect. */
  provider: z.enum(IDENTITY_PROVIDERS).nullable(),
  intent: z.enum(['login', 'bind']),
  /** Account to bind, and the session of the request. */
  userId: z.int().nullable(),
  session: z.string().nullable(),
  aff: z.string(),
  /** A challenge and a nonce went to the provider. */
  isProven: z.boolean(),
});
export type Flow = z.infer<typeof flowSchema>;

/**
 * Values sent to the provider to prove the exchange of the code, derived from the state and a secret of ours: nothing of it is
 * stored.
 */
export interface FlowProof {
  readonly verifier: string;
  readonly nonce: string;
}

/** Sign-ins on their way through a provider: single use, short-lived, bound to browser, intent and account. */
@Injectable()
export class FlowStates {
  constructor(
    private readonly steps: PendingVerifications,
    private readonly env: Env,
  ) {}

  /**
   * Begins a flow; the browser is recognised by a cookie.
   * @param actor  account to bind; null = sign-in
   * @returns the state
   */
  async begin(
    wanted: Pick<Flow, 'provider' | 'aff' | 'isProven'>,
    actor: Actor | null,
    { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  ): Promise<string> {
    const state = randomBytes(STATE_BYTES).toString('base64url');
    const flow: Flow = {
      ...wanted,
      browser: digestOf(ensureBrowser(request, reply)),
      intent: actor === null ? 'login' : 'bind',
      userId: actor?.id ?? null,
      session: actor?.sessionDigest ?? null,
    };
    await this.steps.put(keyOf(state), flow, FLOW_LIFE_MS);
    return state;
  }

  /**
   * Uses a state up. What comes after is either done now or begun anew.
   * @param actor  signed-in account when the browser comes back
   * Fails: DomainError `identity_state_invalid` for a state that is unknown, old, used, of another browser, provider or session.
   */
  async consume(
    state: string,
    provider: IdentityProvider,
    request: FastifyRequest,
    actor: Actor | null,
  ): Promise<Flow> {
    const stored = state === '' ? undefined : await this.steps.take(keyOf(state));
    const flow = flowSchema.safeParse(stored);
    const browser = browserOf(request);
    if (!flow.success || browser === null || flow.data.browser !== digestOf(browser)) throw invalid();
    if (flow.data.provider !== null && flow.data.provider !== provider) throw invalid();
    if (flow.data.intent === 'bind') {
      const isSame =
        actor !== null && actor.id === flow.data.userId && actor.sessionDigest === flow.data.session;
      if (!isSame) throw invalid();
    }
    return flow.data;
  }

  proofOf(state: string): FlowProof {
    return { verifier: this.derive('verifier', state), nonce: this.derive('nonce', state) };
  }

  private derive(purpose: string, state: string): string {
    return createHmac('sha256', this.env.sessionSecret)
      .update(`identity ${purpose} ${state}`)
      .digest('base64url');
  }
}

const keyOf = (state: string): string => `identity:state:${digestOf(state)}`;

const invalid = (): DomainError => new DomainError('identity_state_invalid');
