import { SetMetadata } from '@nestjs/common';

export const FRESH_LOGIN_KEY = 'tollgate:fresh-login';

/** Requires a login or step-up proof of the last ten minutes, when the operator sets FRESH_LOGIN_REQUIRED. */
export const NeedsFreshLogin = (): MethodDecorator => SetMetadata(FRESH_LOGIN_KEY, true);
