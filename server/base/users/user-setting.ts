import { z } from 'zod';
import { DomainError } from '../../common/errors/domain-error.js';
import { isTimeZone } from '../../common/time-zone.js';
import type { UserSettingInput } from './user-setting-input.js';
import { parseMailAddress } from '../../common/mail-address.js';
import { parseJson } from '../../common/parse-json.js';

/** The document in `users.setting`. Unknown members of older programs survive. */
const documentSchema = z
  .looseObject({
    notify_type: z.string().optional(),
    quota_warning_threshold: z.number().optional(),
    webhook_url: z.string().optional(),
    webhook_secret: z.string().optional(),
    notification_email: z.string().optional(),
    /** Folded; the notification address that was proven by a code. */
    notification_email_proven: z.string().optional(),
    /** Name in the time zone database; empty or absent = none chosen. */
    time_zone: z.string().optional().catch(undefined),
    language: z.enum(['zh', 'en']).optional().catch(undefined),
    accept_unset_model_ratio_model: z.boolean().optional(),
  })
  .catch({});
type SettingDocument = z.infer<typeof documentSchema>;

const NOTIFY_TYPES = new Set(['email', 'webhook']);

/** Text that cannot be read counts as an empty document: all defaults, which are the strict ones. */
export const readSetting = (text: string): SettingDocument => documentSchema.parse(parseJson(text));

/** Balance below which an account is warned; its own wish, or the installation's. 0 = it is not warned. */
export function warningThresholdOf(text: string, fallback: number): number {
  const { quota_warning_threshold: own } = readSetting(text);
  return own !== undefined && own >= 0 ? own : fallback;
}

/**
 * The document as answers carry it: the webhook secret only as "is set", the proof of the notification address as whether it
 * counts, and both for the owner alone. So is the webhook's address: many services hide their secret in it.
 */
export function presentSetting(text: string, isOwner: boolean): string {
  const { webhook_secret: secret, notification_email_proven: proven, ...own } = readSetting(text);
  const { webhook_url: _address, ...rest } = own;
  const mail = own.notification_email ?? '';
  return JSON.stringify(
    isOwner
      ? {
          ...own,
          webhook_secret_set: secret !== undefined && secret !== '',
          ...(mail === '' ? {} : { notification_email_verified: parseMailAddress(mail)?.folded === proven }),
        }
      : rest,
  );
}

/**
 * The new document: members that are absent stay, an empty secret stays unless cleared.
 * Fails: DomainError for a type other than email and webhook, a threshold below 0, a webhook address that is not https.
 */
export function mergeSetting(text: string, input: UserSettingInput): string {
  const {
    webhook_secret: secret,
    clear_webhook_secret: clear = false,
    notification_email_code: _code,
    ...given
  } = input;
  const merged: SettingDocument = { ...readSetting(text), ...withoutAbsent(given) };
  if (clear) delete merged.webhook_secret;
  else if (secret !== undefined && secret !== '') merged.webhook_secret = secret;
  assertSetting(merged);
  return JSON.stringify(merged);
}

/** The document with its notification address marked as proven. @param folded  the address the code was for */
export function markProven(text: string, folded: string): string {
  return JSON.stringify({ ...readSetting(text), notification_email_proven: folded });
}

function assertSetting(setting: SettingDocument): void {
  const {
    notify_type: type = 'email',
    quota_warning_threshold: threshold,
    webhook_url: url = '',
    notification_email: mail = '',
    time_zone: zone = '',
  } = setting;
  if (zone !== '' && !isTimeZone(zone)) throw new DomainError('time_zone_unknown');
  if (!NOTIFY_TYPES.has(type)) throw new DomainError('notify_type_invalid');
  if (threshold !== undefined && !(threshold >= 0 && threshold <= Number.MAX_SAFE_INTEGER))
    throw new DomainError('notify_threshold_invalid');
  if (type === 'webhook' || url !== '') assertWebhookAddress(url);
  if (mail !== '' && parseMailAddress(mail) === null) throw new DomainError('notification_mail_invalid');
}

function assertWebhookAddress(url: string): void {
  const parsed = URL.parse(url);
  if (parsed?.protocol !== 'https:' || parsed.username !== '' || parsed.password !== '')
    throw new DomainError('webhook_address_invalid');
}

function withoutAbsent(input: Partial<UserSettingInput>): Partial<SettingDocument> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}
