import type { i18n as I18n } from 'i18next';
import { ROLE } from '../../api/current-user';
import type { en } from '../../i18n/en';
import type { AuditEvent } from './api';

type Texts = (typeof en)['audit'];

/** Returns true for a word of the audit log with a text; others, such as names of settings, are shown as they are stored. */
export function hasText<Group extends 'fact' | 'source' | 'target' | 'way'>(
  group: Group,
  word: string,
  texts: I18n,
): word is keyof Texts[Group] & string {
  return texts.exists(`audit.${group}.${word}`, { returnObjects: false });
}

/** Target of an act: kind and id. */
export function targetText(event: Pick<AuditEvent, 'target_type' | 'target_id'>, texts: I18n): string {
  const { target_type: type, target_id: id } = event;
  const kind = hasText('target', type, texts) ? texts.t(`audit.target.${type}`) : type;
  return [kind, id].filter((part) => part !== '').join(' ');
}

/** The account an act was done to; 0 = it was done to something else. */
export function targetAccount({
  target_type: type,
  target_id: id,
}: Pick<AuditEvent, 'target_type' | 'target_id'>): number {
  return type === 'user' && /^[1-9]\d{0,9}$/.test(id) ? Number(id) : 0;
}

export const ROLES: Readonly<Partial<Record<number, 'user' | 'administrator' | 'root'>>> = {
  [ROLE.user]: 'user',
  [ROLE.administrator]: 'administrator',
  [ROLE.root]: 'root',
};

/** Names of what a status stands for, by the thing that has it. */
export const STATUSES: Readonly<Partial<Record<string, Readonly<Partial<Record<number, StatusName>>>>>> = {
  user: { 1: 'audit.status.user.active', 2: 'audit.status.user.banned' },
  channel: {
    1: 'audit.status.channel.enabled',
    2: 'audit.status.channel.disabled',
    3: 'audit.status.channel.auto',
  },
  redemption: {
    1: 'audit.status.redemption.unused',
    2: 'audit.status.redemption.disabled',
    3: 'audit.status.redemption.used',
  },
  token: { 1: 'audit.status.channel.enabled', 2: 'audit.status.channel.disabled' },
};

type StatusName =
  | `audit.status.user.${'active' | 'banned'}`
  | `audit.status.channel.${'enabled' | 'disabled' | 'auto'}`
  | `audit.status.redemption.${'unused' | 'disabled' | 'used'}`;
