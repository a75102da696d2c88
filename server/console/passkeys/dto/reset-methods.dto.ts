import { z } from 'zod';
import { IDENTITY_PROVIDERS } from '../../../base/access/identity-providers.js';

/** Identities and passkeys that open an account whose password was just reset. */
export const resetMethodsSchema = z
  .object({
    identities: z.array(z.enum(IDENTITY_PROVIDERS)),
    passkeys: z.array(z.string()).meta({ description: 'names' }),
    may_release: z.boolean().meta({
      description: 'false with an authenticator app: they are taken off after signing in',
    }),
  })
  .meta({ id: 'ResetMethods' });
export type ResetMethodsView = z.infer<typeof resetMethodsSchema>;
