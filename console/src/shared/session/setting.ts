import * as z from 'zod/mini';
import { isRecord, parseJson } from '../format/json';

/** The document in `setting` of an account, as its owner is shown it. */
const settingSchema = z.looseObject({
  notify_type: z._default(z.catch(z.enum(['email', 'webhook']), 'email'), 'email'),
  quota_warning_threshold: z.catch(z.optional(z.number()), undefined),
  webhook_url: z._default(z.catch(z.string(), ''), ''),
  /** Whether a secret is stored; the secret itself is never answered. */
  webhook_secret_set: z._default(z.catch(z.boolean(), false), false),
  notification_email: z._default(z.catch(z.string(), ''), ''),
  /** Whether that address was proven by a code: no notice leaves for one that was not. */
  notification_email_verified: z._default(z.catch(z.boolean(), false), false),
  /** Empty = none set. */
  time_zone: z._default(z.catch(z.string(), ''), ''),
  accept_unset_model_ratio_model: z._default(z.catch(z.boolean(), false), false),
});

export type AccountSetting = z.infer<typeof settingSchema>;

/** Reads the setting document; what cannot be read counts as empty. */
export function readAccountSetting(text: string): AccountSetting {
  const value = parseJson(text);
  return settingSchema.parse(isRecord(value) ? value : {});
}
