import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

/** The account behind a console request; role, status and group are read fresh for each request. */
export interface Actor {
  readonly id: number;
  readonly username: string;
  readonly role: number;
  readonly group: string;
  /** Signed in by a cookie, or by a system access token. */
  readonly way: 'session' | 'access-token';
  /** Digest of the session, null for access tokens. */
  readonly sessionDigest: string | null;
}

/** Set by the guards on the Fastify request. */
export interface RequestWithActor {
  /** The account its limits count for, whether it may do anything or not; absent = its network counts. */
  callerId?: number | undefined;
  actor?: Actor;
}

/** The signed-in account; only on routes whose access level guarantees one. */
export const CurrentActor = createParamDecorator((_: unknown, context: ExecutionContext): Actor => {
  const { actor } = context.switchToHttp().getRequest<RequestWithActor>();
  if (actor === undefined) throw new Error('CurrentActor used on a route without a signed-in access level');
  return actor;
});

/** The signed-in account on `guest` routes, or null. */
export const OptionalActor = createParamDecorator(
  (_: unknown, context: ExecutionContext): Actor | null =>
    context.switchToHttp().getRequest<RequestWithActor>().actor ?? null,
);
