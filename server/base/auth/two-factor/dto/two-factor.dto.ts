import { z } from 'zod';

const code = z.string().max(64).default('');
const password = z.string().max(1_000).default('');

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
