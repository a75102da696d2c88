import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Not, type Repository } from 'typeorm';
import { ChangeFeed } from '../../infra/events/change-feed.js';
import { Clock } from '../../common/clock.js';
import type { IdentityProvider } from '../access/identity-providers.js';
import { ROLE } from '../access/user.codes.js';
import { SessionEntity } from './session.entity.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Idle and maximum lifetime of a login; shorter for administrators. */
const LIFETIMES = {
  user: { idleMs: 7 * DAY_MS, absoluteMs: 30 * DAY_MS },
  admin: { idleMs: 12 * HOUR_MS, absoluteMs: 7 * DAY_MS },
} as const;
/** `lastSeenAtMs` is written no more often than this. */
const TOUCH_MS = 60_000;
const SESSION_ID_BYTES = 32;
const MAX_LISTED = 100;

export const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

const lifetimeOf = (role: number) => (role >= ROLE.admin ? LIFETIMES.admin : LIFETIMES.user);

/** Place and client of a login. */
export interface LoginPlace {
  readonly ip: string;
  readonly userAgent: string;
  readonly way: SignInMethod;
}

/** Sign-in method of a session. `known-password`: a well-known password, which allows root next to nothing. */
export type SignInMethod =
  'password' | 'known-password' | 'two-factor' | 'passkey' | 'mail' | IdentityProvider;

/** Time a login or a further proof counts as recent. */
const FRESH_MS = 10 * 60_000;

/** When the person behind a session last proved who they are. */
const provedAtMs = (session: SessionEntity): number => Math.max(session.verifiedAtMs, session.createdAtMs);

/** Logins, kept on the server. The browser holds a random id, the table its digest. */
@Injectable()
export class SessionsService {
  constructor(
    @InjectRepository(SessionEntity) private readonly rows: Repository<SessionEntity>,
    private readonly feed: ChangeFeed,
    private readonly clock: Clock,
  ) {}

  /** @returns the id for the cookie; it is not kept */
  async open(
    user: { readonly id: number; readonly role: number; readonly authVersion: number },
    place: LoginPlace,
  ): Promise<{ readonly id: string; readonly maxAgeMs: number }> {
    const id = randomBytes(SESSION_ID_BYTES).toString('base64url');
    const nowMs = this.clock.nowMs();
    const maxAgeMs = lifetimeOf(user.role).absoluteMs;
    await this.rows.insert({
      digest: digestOf(id),
      userId: user.id,
      authVersion: user.authVersion,
      createdAtMs: nowMs,
      lastSeenAtMs: nowMs,
      expiresAtMs: nowMs + maxAgeMs,
      ip: place.ip.slice(0, 64),
      userAgent: place.userAgent.replace(/[^\x20-\x7e]/g, '').slice(0, 255),
      way: place.way,
      verifiedAtMs: nowMs,
    });
    return { id, maxAgeMs };
  }

  /** The stored session, whatever its age. */
  async find(digest: string): Promise<SessionEntity | null> {
    return this.rows.findOneBy({ digest });
  }

  /** True while the login still counts for an account of this role and version. */
  isAlive(session: SessionEntity, user: { readonly role: number; readonly authVersion: number }): boolean {
    const nowMs = this.clock.nowMs();
    const { idleMs, absoluteMs } = lifetimeOf(user.role);
    return (
      session.authVersion === user.authVersion &&
      nowMs < session.expiresAtMs &&
      // A role that was raised since the login has the shorter life.
      nowMs < session.createdAtMs + absoluteMs &&
      nowMs < session.lastSeenAtMs + idleMs
    );
  }

  /** Never fails: a login is good while the database takes no changes, only its age is not written down. */
  async touch(session: SessionEntity): Promise<void> {
    const nowMs = this.clock.nowMs();
    if (nowMs - session.lastSeenAtMs < TOUCH_MS) return;
    session.lastSeenAtMs = nowMs;
    await this.rows.update({ digest: session.digest }, { lastSeenAtMs: nowMs }).catch(() => undefined);
  }

  /** The live logins of a user. */
  async listOf(user: {
    readonly id: number;
    readonly role: number;
    readonly authVersion: number;
  }): Promise<SessionEntity[]> {
    const rows = await this.rows.find({
      where: { userId: user.id, authVersion: user.authVersion },
      order: { lastSeenAtMs: 'DESC' },
      take: MAX_LISTED,
    });
    return rows.filter((session) => this.isAlive(session, user));
  }

  /** Until when a login counts as recent, milliseconds; 0 = it does not. */
  async freshUntilMs(digest: string): Promise<number> {
    const session = await this.find(digest);
    const untilMs = session === null ? 0 : provedAtMs(session) + FRESH_MS;
    return untilMs > this.clock.nowMs() ? untilMs : 0;
  }

  /** The person behind a session has proved again who they are. */
  async verify(digest: string): Promise<void> {
    await this.rows.update({ digest }, { verifiedAtMs: this.clock.nowMs() });
  }

  /** Ends all logins of a user but one; null = all. @returns how many ended */
  async closeOthers(userId: number, keptDigest: string | null): Promise<number> {
    const others = keptDigest === null ? { userId } : { userId, digest: Not(keptDigest) };
    const ended = await this.rows.delete(others);
    this.feed.announce('user', userId);
    return ended.affected ?? 0;
  }

  /** @returns whether the user had such a session */
  async close(userId: number, digest: string): Promise<boolean> {
    const closed = await this.rows.delete({ userId, digest });
    this.feed.announce('user', userId);
    return (closed.affected ?? 0) > 0;
  }

  /** Removes sessions past their absolute end, and those unused for the longest idle time. @returns how many were removed */
  async removeExpired(): Promise<number> {
    const nowMs = this.clock.nowMs();
    const expired = await this.rows.delete({ expiresAtMs: LessThan(nowMs) });
    const idle = await this.rows.delete({ lastSeenAtMs: LessThan(nowMs - LIFETIMES.user.idleMs) });
    return (expired.affected ?? 0) + (idle.affected ?? 0);
  }
}
