import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ChangeFeed } from '../../infra/events/change-feed.js';
import { DegradedModes } from '../../infra/observability/degraded-modes.js';
import { Clock } from '../../common/clock.js';
import { AccountsService } from '../users/accounts.service.js';
import type { Account } from '../users/account.js';
import { ROLE } from '../access/user.codes.js';
import type { SessionEntity } from './session.entity.js';
import { digestOf, SessionsService } from './sessions.service.js';

/** An account and how the request proved to be its. */
export interface Identity {
  readonly account: Account;
  /** Null for a system access token. */
  readonly sessionDigest: string | null;
  /** Root signed in with a well-known password. */
  readonly mustChangePassword: boolean;
}

interface Remembered {
  readonly identity: Identity | null;
  readonly session: SessionEntity | null;
  readonly untilMs: number;
}

/** Role, status and group are at most this old. */
const REMEMBER_MS = 1_000;
/** While the database is away routes that can do without it take a login that was good so long ago. */
const STALE_MS = 15 * 60_000;
const MAX_REMEMBERED = 10_000;

/**
 * Resolves the identity of a request from the secret it carries. Answers are cached for a second and dropped when the account
 * changes.
 */
@Injectable()
export class IdentityService implements OnApplicationShutdown {
  private readonly remembered = new Map<string, Remembered>();
  private readonly stopListening: () => void;

  constructor(
    private readonly sessions: SessionsService,
    private readonly accounts: AccountsService,
    private readonly clock: Clock,
    private readonly modes: DegradedModes,
    feed: ChangeFeed,
  ) {
    this.stopListening = feed.on('user', (id) => this.forget(id));
  }

  /**
   * @param sessionId  as the cookie carries it, signature already checked
   * @param withoutDatabase  the route can do without it: an older answer will do while it is away
   */
  async ofSession(sessionId: string, withoutDatabase = false): Promise<Identity | null> {
    const digest = digestOf(sessionId);
    const known = await this.recall(`session:${digest}`, () => this.loadSession(digest), withoutDatabase);
    if (known.session !== null) await this.sessions.touch(known.session);
    return known.identity;
  }

  /** @param withoutDatabase  as for `ofSession` */
  async ofAccessToken(token: string, withoutDatabase = false): Promise<Identity | null> {
    const digest = digestOf(token);
    const load = async (): Promise<Omit<Remembered, 'untilMs'>> => {
      const account = await this.accounts.findByAccessToken(digest);
      const identity = account === null ? null : { account, sessionDigest: null, mustChangePassword: false };
      return { identity, session: null };
    };
    const known = await this.recall(`token:${digest}`, load, withoutDatabase);
    return known.identity;
  }

  onApplicationShutdown(): void {
    this.stopListening();
  }

  /** Last answer for a secret before the database went away; undefined while it is reachable, and after a while. */
  private lastKnown(key: string): Remembered | undefined {
    if (!this.modes.has('database-away')) return undefined;
    const known = this.remembered.get(key);
    if (known?.identity == null || this.clock.monotonicMs() > known.untilMs + STALE_MS) return undefined;
    const { session, identity } = known;
    if (session !== null && !this.sessions.isAlive(session, identity.account)) return undefined;
    // Its use cannot be recorded now.
    return { ...known, session: null };
  }

  private async loadSession(digest: string): Promise<Omit<Remembered, 'untilMs'>> {
    const session = await this.sessions.find(digest);
    if (session === null) return { identity: null, session: null };
    const account = await this.accounts.findIdentity(session.userId);
    if (account === null || !this.sessions.isAlive(session, account))
      return { identity: null, session: null };
    const mustChangePassword = session.way === 'known-password' && account.role >= ROLE.root;
    return { identity: { account, sessionDigest: digest, mustChangePassword }, session };
  }

  private async recall(
    key: string,
    load: () => Promise<Omit<Remembered, 'untilMs'>>,
    withoutDatabase: boolean,
  ): Promise<Remembered> {
    const last = withoutDatabase ? this.lastKnown(key) : undefined;
    if (last !== undefined) return last;
    const known = this.remembered.get(key);
    const nowMs = this.clock.monotonicMs();
    if (known !== undefined && nowMs < known.untilMs) return known;
    const fresh: Remembered = { ...(await load()), untilMs: nowMs + REMEMBER_MS };
    if (this.remembered.size >= MAX_REMEMBERED) this.remembered.clear();
    // Unknown secrets are not remembered: guesses must not push real logins out.
    if (fresh.identity === null) this.remembered.delete(key);
    else this.remembered.set(key, fresh);
    return fresh;
  }

  private forget(userId: number | undefined): void {
    for (const [key, { identity }] of this.remembered) {
      if (userId === undefined || identity?.account.id === userId) this.remembered.delete(key);
    }
  }
}
