import { z } from 'zod';
import { userSchema } from '../../users/user-view.js';

const code = z.string().max(64).default('');
const password = z.string().max(1_000).default('');

/** What any way of signing in answers: the account, or that a code is still needed. */
export const secondStepSchema = z
  .object({
    require_2fa: z.literal(true),
    ticket: z
      .string()
      .meta({ description: 'goes with the code; the cookie set with this answer does the same' }),
  })
  .meta({ id: 'SecondStep' });
export type SecondStepView = z.infer<typeof secondStepSchema>;

export const signInAnswerSchema = z.union([userSchema, secondStepSchema]).meta({ id: 'SignInAnswer' });
export type SignInAnswer = z.infer<typeof signInAnswerSchema>;

/** POST /api/user/login/2fa */
export const secondStepInputSchema = z
  .object({
    ticket: z.string().max(128).optional(),
    code: code.meta({ description: 'six digits of the authenticator app, or a recovery code' }),
  })
  .meta({ id: 'SecondStepInput' });
export type SecondStepInput = z.infer<typeof secondStepInputSchema>;

/** GET /api/user/2fa/status */
export const twoFactorStatusSchema = z
  .object({
    enabled: z.boolean(),
    locked: z.boolean().meta({ description: 'too many wrong codes; codes are refused for a while' }),
    backup_codes_remaining: z.int(),
    has_password: z
      .boolean()
      .meta({ description: 'false: changes need a recent login instead of the password' }),
  })
  .meta({ id: 'TwoFactorStatus' });
export type TwoFactorStatusView = z.infer<typeof twoFactorStatusSchema>;

/** POST /api/user/2fa/setup */
export const twoFactorSetupSchema = z
  .object({
    secret: z.string().meta({ description: 'base32, for typing in' }),
    qr_code_data: z.string().meta({ description: 'otpauth address to show as a QR code' }),
  })
  .meta({ id: 'TwoFactorSetup' });
export type TwoFactorSetupView = z.infer<typeof twoFactorSetupSchema>;

/** POST /api/user/2fa/enable and /disable */
export const twoFactorChangeSchema = z.object({ code, password }).meta({ id: 'TwoFactorChange' });
export type TwoFactorChange = z.infer<typeof twoFactorChangeSchema>;

/** POST /api/user/2fa/backup_codes */
export const recoveryCodesInputSchema = z.object({ code }).meta({ id: 'RecoveryCodesInput' });

/** POST /api/user/2fa/enable and /backup_codes */
export const recoveryCodesSchema = z
  .object({ backup_codes: z.array(z.string()).meta({ description: 'shown this once; each works once' }) })
  .meta({ id: 'RecoveryCodes' });
export type RecoveryCodesView = z.infer<typeof recoveryCodesSchema>;

/** GET /api/user/{id}/2fa, for administrators. */
export const userFactorsSchema = z
  .object({ enabled: z.boolean(), passkeys: z.int() })
  .meta({ id: 'UserFactors' });
export type UserFactorsView = z.infer<typeof userFactorsSchema>;

/** POST /api/verify: proves once more who is signed in. */
export const freshProofSchema = z
  .object({ method: z.enum(['password', '2fa']), password, code })
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
