import { z } from 'zod';

/** Settings an account owner may change; absent fields stay. */
export const userSettingSchema = z
  .object({
    notify_type: z.string().max(50).optional(),
    quota_warning_threshold: z.number().optional(),
    webhook_url: z.string().max(2_048).optional(),
    webhook_secret: z.string().max(255).optional(),
    clear_webhook_secret: z.boolean().optional(),
    notification_email: z.string().max(255).optional(),
    /** Proves a notification address other than the account's own (GET /api/verification?purpose=notification). */
    notification_email_code: z.string().max(50).optional(),
    /** In which language notices are written: zh or en. */
    language: z.enum(['zh', 'en']).optional(),
    accept_unset_model_ratio_model: z.boolean().optional(),
    /** Time zone the account reads days in, such as Asia/Kolkata; empty = none. */
    time_zone: z.string().max(64).optional(),
  })
  .meta({ id: 'UserSetting' });
export type UserSettingInput = z.infer<typeof userSettingSchema>;
