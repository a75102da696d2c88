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
/** One address of a payment service speaks for all its payers. */
const PAYMENT_SERVICE = 20;

export const CALLER_COUNTS_KEY = 'tollgate:caller-counts';

/** By whether the request is somebody's whom we know. */
export const callerMultiple =
  ({ guest, user }: { readonly guest: number; readonly user: number }) =>
  (context: ExecutionContext): number =>
    context.switchToHttp().getRequest<RequestWithActor>().callerId === undefined ? guest : user;

export const CONSOLE_MULTIPLE = callerMultiple({ guest: 1, user: USER });

/** What every page of the console reads first: it never locks out an office behind one address. A login counts where there is one. */
export const ThrottlePageReads = (): MethodDecorator & ClassDecorator =>
  applyDecorators(
    SkipThrottle({ [THROTTLERS.console]: true }),
    Throttle({ [THROTTLERS.pageReads]: { limit: callerMultiple({ guest: OFFICE, user: USER }) } }),
    SetMetadata(CALLER_COUNTS_KEY, true),
  );

/** Where payment services tell what was paid. */
export const ThrottlePayments = (): MethodDecorator & ClassDecorator =>
  applyDecorators(
    SkipThrottle({ [THROTTLERS.console]: true }),
    Throttle({ [THROTTLERS.payments]: { limit: PAYMENT_SERVICE } }),
  );
