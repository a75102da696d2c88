import { z } from 'zod';
import { DomainError } from '../../common/errors/domain-error.js';
import type { UserSettingInput } from './dto/user.dto.js';

/** The document in `users.setting` (console API 8.2). Unknown members of older programs survive. */
const documentSchema = z
  .looseObject({
    notify_type: z.string().optional(),
    quota_warning_threshold: z.number().optional(),
    webhook_url: z.string().optional(),
    webhook_secret: z.string().optional(),
    notification_email: z.string().optional(),
    accept_unset_model_ratio_model: z.boolean().optional(),
  })
  .catch({});
type SettingDocument = z.infer<typeof documentSchema>;

const NOTIFY_TYPES = new Set(['email', 'webhook']);
const MAIL_ADDRESS = /^[^\s@<>()",;:\\[\]]{1,64}@[A-Za-z0-9.-]{1,189}$/;

/** Text that cannot be read counts as an empty document: all defaults, which are the strict ones (G15). */
export function readSetting(text: string): SettingDocument {
  try {
    return documentSchema.parse(JSON.parse(text === '' ? '{}' : text));
  } catch {
    return {};
  }
}

/** The document as answers carry it: the webhook secret only as "is set", and for its owner alone. */
export function presentSetting(text: string, isOwner: boolean): string {
  const { webhook_secret: secret, ...rest } = readSetting(text);
  return JSON.stringify(
    isOwner ? { ...rest, webhook_secret_set: secret !== undefined && secret !== '' } : rest,
  );
}

/**
 * The new document: members that are absent stay, an empty secret stays unless cleared (SELF-3).
 * Fails: DomainError for a type other than email and webhook, a threshold not above 0, a webhook address that is not https.
 */
export function mergeSetting(text: string, input: UserSettingInput): string {
  const { webhook_secret: secret, clear_webhook_secret: clear = false, ...given } = input;
  const merged: SettingDocument = { ...readSetting(text), ...withoutAbsent(given) };
  if (clear) delete merged.webhook_secret;
  else if (secret !== undefined && secret !== '') merged.webhook_secret = secret;
  assertSetting(merged);
  return JSON.stringify(merged);
}

function assertSetting(setting: SettingDocument): void {
  const {
    notify_type: type = 'email',
    quota_warning_threshold: threshold,
    webhook_url: url = '',
    notification_email: mail = '',
  } = setting;
  if (!NOTIFY_TYPES.has(type)) throw new DomainError('notify_type_invalid');
  if (threshold !== undefined && !(threshold > 0 && threshold <= Number.MAX_SAFE_INTEGER))
    throw new DomainError('notify_threshold_invalid');
  if ((type === 'webhook' || url !== '') && URL.parse(url)?.protocol !== 'https:')
    throw new DomainError('webhook_address_invalid');
  if (mail !== '' && !MAIL_ADDRESS.test(mail)) throw new DomainError('notification_mail_invalid');
}

function withoutAbsent(input: Partial<UserSettingInput>): Partial<SettingDocument> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}
