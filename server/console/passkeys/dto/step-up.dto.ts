import { z } from 'zod';

/** GET /api/user/{id}/2fa, for administrators. */
export const userFactorsSchema = z
  .object({ enabled: z.boolean(), passkeys: z.int() })
  .meta({ id: 'UserFactors' });
export type UserFactorsView = z.infer<typeof userFactorsSchema>;

/** POST /api/verify: proves once more who is signed in. */
export const freshProofSchema = z
  .object({
    method: z.enum(['password', '2fa']),
    password: z.string().max(1_000).default(''),
    code: z.string().max(64).default(''),
  })
  .meta({ id: 'FreshProof' });
export type FreshProof = z.infer<typeof freshProofSchema>;

/** GET /api/verify/status */
export const freshStatusSchema = z
  .object({
    required: z.boolean().meta({ description: 'sensitive changes need a recent proof on this server' }),
    fresh: z.boolean(),
    expires_at: z.int().meta({ description: 'seconds; 0 when not fresh' }),
    methods: z.array(z.enum(['password', '2fa', 'passkey'])),
  })
  .meta({ id: 'FreshStatus' });
export type FreshStatusView = z.infer<typeof freshStatusSchema>;
