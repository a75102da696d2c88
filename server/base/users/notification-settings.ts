import type { Language } from '../../common/language.js';
import type { Recipient } from './account.js';
import { parseMailAddress } from '../../common/mail-address.js';
import { ROLE } from '../access/user.codes.js';
import { readSetting } from './user-setting.js';

/** Notification method of an account. */
export type NoticeMethod = { readonly language: Language } & (
  | { readonly kind: 'mail'; readonly address: string }
  | { readonly kind: 'webhook'; readonly url: string; readonly secret: string }
  | { readonly kind: 'none' }
);

/**
 * The way the account chose. A notification address that was not proven by a code is not written to: then the
 * account's own address counts.
 */
export function noticeMethodOf({ email, setting: text }: Pick<Recipient, 'email' | 'setting'>): NoticeMethod {
  const setting = readSetting(text);
  const language = setting.language ?? 'en';
  if (setting.notify_type === 'webhook') {
    const { webhook_url: url = '', webhook_secret: secret = '' } = setting;
    return url === '' ? { kind: 'none', language } : { kind: 'webhook', url, secret, language };
  }
  const address = noticeAddressOf({ email, setting: text });
  return address === '' ? { kind: 'none', language } : { kind: 'mail', address, language };
}

/** The notification address that was proven, else the account's own; empty = none. */
export function noticeAddressOf({ email, setting: text }: Pick<Recipient, 'email' | 'setting'>): string {
  const setting = readSetting(text);
  const chosen = parseMailAddress(setting.notification_email ?? '');
  const isProven = chosen !== null && chosen.folded === setting.notification_email_proven;
  return isProven ? chosen.address : email;
}

/** Caller of an account's webhook, for the address policy: that of a root account, who runs the installation, is an operator's. */
export const webhookCallerOf = ({ role }: Pick<Recipient, 'role'>): 'service' | 'user' =>
  role >= ROLE.root ? 'service' : 'user';
