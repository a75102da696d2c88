import type { i18n as I18n, TFunction } from 'i18next';
import { ROLE } from '../../api/current-user';
import type { en } from '../../i18n/en';
import type { AuditEvent } from './api';

/** Things acts are done to; others are shown by the name the server gives them. */
export const TARGET_TYPES = [
  'user',
  'channel',
  'option',
  'redemption',
  'order',
  'log',
  'mail',
  'audit',
  'alert',
  'job',
  'database',
] as const;
export type TargetType = (typeof TARGET_TYPES)[number];

export function isTargetType(text: string): text is TargetType {
  return TARGET_TYPES.some((known) => known === text);
}

/** What an act was done to: kind and id. */
export function targetText(event: Pick<AuditEvent, 'target_type' | 'target_id'>, t: TFunction): string {
  const { target_type: type, target_id: id } = event;
  return [isTargetType(type) ? t(`audit.target.${type}`) : type, id].filter((part) => part !== '').join(' ');
}

type Fact = keyof (typeof en)['audit']['fact'];

/** Whether a member of what acts record has a name; others, such as settings, are called as they are stored. */
export function isFact(member: string, texts: I18n): member is Fact {
  return texts.exists(`audit.fact.${member}`, { returnObjects: false });
}

/** Ways to sign in. */
export const WAYS = [
  'password',
  'known-password',
  'two-factor',
  'passkey',
  'mail',
  'github',
  'oidc',
  'linuxdo',
  'wechat',
  'telegram',
] as const;

/** Where a change of settings came from. */
export const SOURCES = ['edit', 'reset', 'rollback', 'sync'] as const;

export const isKnown = <Word extends string>(words: readonly Word[], text: string): text is Word =>
  words.some((known) => known === text);

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
};

type StatusName =
  | `audit.status.user.${'active' | 'banned'}`
  | `audit.status.channel.${'enabled' | 'disabled' | 'auto'}`
  | `audit.status.redemption.${'unused' | 'disabled' | 'used'}`;
