import { applyDecorators, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { SkipThrottle, Throttle } from '@nestjs/throttler';
import type { RequestWithActor } from './current-actor.js';

/**
 * Groups of console routes with a limit of their own. A route is in `console` unless it says otherwise beside its path. Limits are
 * multiples of GLOBAL_API_RATE_LIMIT.
 */
export const THROTTLERS = {
  console: 'console',
  pageReads: 'page-reads',
  payments: 'payment-notices',
} as const;

/** Signed-in people may do more than the guests behind one address. */
const USER = 10;
/** Many guests stand behind the address of an office, and every page of theirs reads the same few texts, which cost next to nothing. */
const OFFICE = 20;
/** Multiple for payment services: one address sends the notices of all payers. */
const PAYMENT_SERVICE = 20;

export const CALLER_COUNTS_KEY = 'tollgate:caller-counts';

/** Selects the multiple by whether the request has a known account. */
export const callerMultiple =
  ({ guest, user }: { readonly guest: number; readonly user: number }) =>
  (context: ExecutionContext): number =>
    context.switchToHttp().getRequest<RequestWithActor>().callerId === undefined ? guest : user;

export const CONSOLE_MULTIPLE = callerMultiple({ guest: 1, user: USER });

/** Reads of every console page: never locks out an office behind one address. Counted by login where there is one. */
export const ThrottlePageReads = (): MethodDecorator & ClassDecorator =>
  applyDecorators(
    SkipThrottle({ [THROTTLERS.console]: true }),
    Throttle({ [THROTTLERS.pageReads]: { limit: callerMultiple({ guest: OFFICE, user: USER }) } }),
    SetMetadata(CALLER_COUNTS_KEY, true),
  );

/** Routes that receive payment notices. */
export const ThrottlePayments = (): MethodDecorator & ClassDecorator =>
  applyDecorators(
    SkipThrottle({ [THROTTLERS.console]: true }),
    Throttle({ [THROTTLERS.payments]: { limit: PAYMENT_SERVICE } }),
  );
