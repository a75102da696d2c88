import { SetMetadata } from '@nestjs/common';

export const FRESH_LOGIN_KEY = 'tollgate:fresh-login';

/** Where the operator asks for it (FRESH_LOGIN_REQUIRED): a login or proof of the last ten minutes. */
export const NeedsFreshLogin = (): MethodDecorator => SetMetadata(FRESH_LOGIN_KEY, true);
