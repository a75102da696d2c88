import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { Env } from '../config/env.js';
import { USER_STATUS } from '../base/access/user.codes.js';
import { IdentityService } from '../base/auth/identity.service.js';
import { readSessionCookie } from '../base/auth/session-cookie.js';
import { SlowDatabase } from '../base/auth/slow-database.js';
import { OptionsService } from '../base/options/options.service.js';
import type { Account } from '../base/users/account.js';
import type { StatusView } from '../console/options/dto/status.dto.js';
import { presentStatus } from '../console/options/present-status.js';
import { SetupCompletion } from '../console/options/setup-completion.js';

/** Account of a session, with the fields the console keeps of a login. */
export interface FirstUser {
  readonly id: number;
  readonly username: string;
  readonly display_name: string;
  readonly role: number;
  readonly status: number;
  readonly group: string;
}

/** Answers the console asks for on every visit, for the first HTML. A field that could not be read is omitted. */
export interface FirstAnswers {
  readonly status?: StatusView;
  readonly notice?: string;
  /** null: the browser has no valid session. */
  readonly user?: FirstUser | null;
}

/** Reads status, notice and session of a request. Never fails: what the database cannot answer now is left to the console. */
export function firstAnswersOf(
  app: NestFastifyApplication,
): (request: FastifyRequest) => Promise<FirstAnswers> {
  const found = { strict: false } as const;
  const options = app.get(OptionsService, found);
  const setup = app.get(SetupCompletion, found);
  const identities = app.get(IdentityService, found);
  const slowDatabase = app.get(SlowDatabase, found);
  const env = app.get(Env, found);

  /** Undefined for an account that is not active: the API gives the reason. */
  const readUser = async (request: FastifyRequest): Promise<FirstUser | null | undefined> => {
    const sessionId = readSessionCookie(request);
    const identity = sessionId === null ? null : await identities.ofSession(sessionId);
    if (identity === null) return null;
    return identity.account.status === USER_STATUS.active ? presentFirstUser(identity.account) : undefined;
  };

  return async (request) => {
    if (slowDatabase.isDegraded) return {};
    const [isSetUp, user] = await Promise.all([
      setup.isDone().catch(() => undefined),
      readUser(request).catch(() => undefined),
    ]);
    const values = options.values();
    return {
      ...(isSetUp !== undefined && { status: presentStatus(values, env, isSetUp), notice: values.Notice }),
      ...(user !== undefined && { user }),
    };
  };
}

const presentFirstUser = ({ id, username, displayName, role, status, group }: Account): FirstUser => ({
  id,
  username,
  display_name: displayName,
  role,
  status,
  group,
});
