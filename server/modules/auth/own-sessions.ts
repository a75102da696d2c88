import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AuditLog } from '../audit/audit-log.js';
import { AccountsService } from '../accounts/accounts.service.js';
import type { Account } from '../accounts/account.js';
import type { Actor } from '../access/current-actor.js';
import { writeSessionCookie } from './session-cookie.js';
import { type SignInMethod, SessionsService } from './sessions.service.js';

/** A session as its owner sees it; `id` is the start of its digest, useless as a login. */
export interface SessionView {
  id: string;
  created_at: number;
  last_seen_at: number;
  ip: string;
  user_agent: string;
  /** How the login was made; empty when it is older than that record. */
  way: string;
  current: boolean;
}

const VISIBLE_DIGITS = 16;

/** Signing a browser in, and the list of places where somebody is signed in. */
@Injectable()
export class OwnSessions {
  constructor(
    private readonly sessions: SessionsService,
    private readonly accounts: AccountsService,
    private readonly audit: AuditLog,
  ) {}

  /** Opens a new session and puts its cookie into the reply; an id the browser sent is never taken over. */
  async open(
    account: Account,
    request: FastifyRequest,
    reply: FastifyReply,
    way: SignInMethod = 'password',
  ): Promise<void> {
    const place = { ip: request.ip, userAgent: request.headers['user-agent'] ?? '', way };
    const { id, maxAgeMs } = await this.sessions.open(account, place);
    writeSessionCookie(reply, id, maxAgeMs);
  }

  async list(actor: Actor): Promise<SessionView[]> {
    const account = await this.accounts.findIdentity(actor.id);
    const sessions = account === null ? [] : await this.sessions.listOf(account);
    return sessions.map((session) => ({
      id: session.digest.slice(0, VISIBLE_DIGITS),
      created_at: Math.floor(session.createdAtMs / 1000),
      last_seen_at: Math.floor(session.lastSeenAtMs / 1000),
      ip: session.ip,
      user_agent: session.userAgent,
      way: session.way,
      current: session.digest === actor.sessionDigest,
    }));
  }

  /**
   * Ends the logins everywhere else, or with `withCurrent` here as well.
   * @returns how many ended
   */
  async closeAll(actor: Actor, withCurrent: boolean): Promise<number> {
    const ended = await this.sessions.closeOthers(actor.id, withCurrent ? null : actor.sessionDigest);
    await this.noteEnd(actor, { ended });
    return ended;
  }

  /** @returns false when the account has no such session */
  async close(actor: Actor, id: string): Promise<boolean> {
    const account = await this.accounts.findIdentity(actor.id);
    const sessions = account === null ? [] : await this.sessions.listOf(account);
    const session = sessions.find(({ digest }) => digest.startsWith(id));
    if (session === undefined || !(await this.sessions.close(actor.id, session.digest))) return false;
    await this.noteEnd(actor, { ended: 1, session_id: id });
    return true;
  }

  private async noteEnd(actor: Actor, detail: Readonly<Record<string, string | number>>): Promise<void> {
    await this.audit.record(null, {
      actorId: actor.id,
      actorRole: actor.role,
      action: 'session.end',
      targetType: 'user',
      targetId: actor.id,
      detail,
    });
  }
}
