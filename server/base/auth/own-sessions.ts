import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { actorAndTarget } from '../audit/actor-and-target.js';
import type { AuditDetail } from '../audit/audit-members.js';
import { AuditLog } from '../audit/audit-log.js';
import { AccountsService } from '../users/accounts.service.js';
import type { Account } from '../users/account.js';
import type { Actor } from '../access/current-actor.js';
import { presentLogin } from '../users/present-user.js';
import type { UserView } from '../users/user-view.js';
import { writeSessionCookie } from './session-cookie.js';
import { type SignInMethod, SessionsService } from './sessions.service.js';

/** A session as its owner sees it; `id` is the start of its digest, useless as a login. */
export interface SessionView {
  id: string;
  created_at: number;
  last_seen_at: number;
  ip: string;
  user_agent: string;
  /** Sign-in method of the login; empty when it is older than that record. */
  way: string;
  current: boolean;
}

const VISIBLE_DIGITS = 16;

/** Signs a browser in, and lists the sessions of an account. */
@Injectable()
export class OwnSessions {
  constructor(
    private readonly sessions: SessionsService,
    private readonly accounts: AccountsService,
    private readonly audit: AuditLog,
  ) {}

  /** Signs a browser in: what is recorded of it, its session, and when the account was last there. */
  async signIn(
    account: Account,
    detail: { readonly way: SignInMethod; readonly first_step?: string; readonly code?: string },
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<UserView> {
    await this.audit.record(null, {
      ...actorAndTarget(account),
      actorName: account.username,
      action: 'login.success',
      detail,
    });
    await this.open(account, request, reply, detail.way);
    await this.accounts.recordLogin(account.id);
    return presentLogin(account);
  }

  /** Signs this browser in anew after all logins of its account ended with the old password. */
  async reopen(actor: Actor, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const account = await this.accounts.findIdentity(actor.id);
    if (account !== null) await this.open(account, request, reply, 'password');
  }

  /** Ends the login a request was made with. */
  async signOut(actor: Actor, sessionDigest: string): Promise<void> {
    await this.sessions.close(actor.id, sessionDigest);
    await this.audit.record(null, { ...actorAndTarget(actor), action: 'login.end' });
  }

  /** Opens a new session and puts its cookie into the reply; an id the browser sent is never taken over. */
  private async open(
    account: Account,
    request: FastifyRequest,
    reply: FastifyReply,
    way: SignInMethod,
  ): Promise<void> {
    const place = { ip: request.ip, userAgent: request.headers['user-agent'] ?? '', way };
    const { id, maxAgeMs } = await this.sessions.open(account, place);
    writeSessionCookie(reply, id, maxAgeMs);
  }

  async list(actor: Actor): Promise<SessionView[]> {
    const account = await this.accounts.findIdentity(actor.id);
    return account === null ? [] : this.listOf(actor, account);
  }

  /** The logins of any account; the caller decides who may read them. */
  async listOf(actor: Actor, account: Account): Promise<SessionView[]> {
    const sessions = await this.sessions.listOf(account);
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
    await this.auditEnd(actor, { ended });
    return ended;
  }

  /** @returns false when the account has no such session */
  async close(actor: Actor, id: string): Promise<boolean> {
    const account = await this.accounts.findIdentity(actor.id);
    const sessions = account === null ? [] : await this.sessions.listOf(account);
    const session = sessions.find(({ digest }) => digest.startsWith(id));
    if (session === undefined || !(await this.sessions.close(actor.id, session.digest))) return false;
    await this.auditEnd(actor, { ended: 1, session_id: id });
    return true;
  }

  private async auditEnd(actor: Actor, detail: AuditDetail): Promise<void> {
    await this.audit.record(null, { ...actorAndTarget(actor), action: 'session.end', detail });
  }
}
