import { isRecord, parseJson } from '../format/json';

/** The document in `setting` of an account, as its owner is shown it; what cannot be read counts as empty. */
export function readAccountSetting(document: string) {
  const value = parseJson(document);
  const told = isRecord(value) ? value : {};
  const text = (name: string): string => (typeof told[name] === 'string' ? told[name] : '');
  const flag = (name: string): boolean => told[name] === true;
  const threshold = told.quota_warning_threshold;
  return {
    ...told,
    notify_type: told.notify_type === 'webhook' ? ('webhook' as const) : ('email' as const),
    quota_warning_threshold: typeof threshold === 'number' ? threshold : undefined,
    webhook_url: text('webhook_url'),
    /** True when a secret is stored; the secret itself is never returned. */
    webhook_secret_set: flag('webhook_secret_set'),
    notification_email: text('notification_email'),
    /** True when that address was proven by a code: no notice is sent to one that was not. */
    notification_email_verified: flag('notification_email_verified'),
    /** Empty = none set. */
    time_zone: text('time_zone'),
    accept_unset_model_ratio_model: flag('accept_unset_model_ratio_model'),
  };
}

export type AccountSetting = ReturnType<typeof readAccountSetting>;
