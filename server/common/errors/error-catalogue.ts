import { ACCOUNT_ERRORS } from './catalogue/account-errors.js';
import { CHANNEL_ERRORS } from './catalogue/channel-errors.js';
import { FACTOR_ERRORS } from './catalogue/factor-errors.js';
import { IDENTITY_ERRORS } from './catalogue/identity-errors.js';
import { LIMIT_ERRORS } from './catalogue/limit-errors.js';
import { PAYMENT_ERRORS } from './catalogue/payment-errors.js';
import { REQUEST_ERRORS } from './catalogue/request-errors.js';
import { IMPORT_ERRORS } from './catalogue/import-errors.js';
import { SETTINGS_ERRORS } from './catalogue/settings-errors.js';
import { SIGN_IN_ERRORS } from './catalogue/sign-in-errors.js';
import { TOKEN_ERRORS } from './catalogue/token-errors.js';

/**
 * Every refusal of the console API under its stable code, one file per area.
 * Business refusals are 200 with `success: false`, as the clients of this API family expect.
 */
export const ERROR_CATALOGUE = {
  ...REQUEST_ERRORS,
  ...SIGN_IN_ERRORS,
  ...IDENTITY_ERRORS,
  ...ACCOUNT_ERRORS,
  ...FACTOR_ERRORS,
  ...SETTINGS_ERRORS,
  ...IMPORT_ERRORS,
  ...TOKEN_ERRORS,
  ...CHANNEL_ERRORS,
  ...LIMIT_ERRORS,
  ...PAYMENT_ERRORS,
} as const;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;
