import { z } from 'zod';
import { parseJson } from '../format/json';

/** The document in `setting` of an account, as its owner is shown it. */
const settingSchema = z.looseObject({
  notify_type: z.enum(['email', 'webhook']).catch('email').default('email'),
  quota_warning_threshold: z.number().optional().catch(undefined),
  webhook_url: z.string().catch('').default(''),
  /** Whether a secret is stored; the secret itself is never answered. */
  webhook_secret_set: z.boolean().catch(false).default(false),
  notification_email: z.string().catch('').default(''),
  /** Whether that address was proven by a code: no notice leaves for one that was not. */
  notification_email_verified: z.boolean().catch(false).default(false),
  /** Empty = none set. */
  time_zone: z.string().catch('').default(''),
  accept_unset_model_ratio_model: z.boolean().catch(false).default(false),
});

export type AccountSetting = z.infer<typeof settingSchema>;

/** Reads the setting document; what cannot be read counts as empty. */
export function readAccountSetting(text: string): AccountSetting {
  const value = text === '' ? {} : parseJson(text);
  return settingSchema.parse(typeof value === 'object' && value !== null ? value : {});
}
