import type { Tone } from '../../shared/feedback/status-tag';
import { ROLE } from '../../api/current-user';
import type { User } from './api';

export type RoleWord = keyof typeof ROLE | 'unknown';

export function roleWord(role: number): RoleWord {
  const known = Object.entries(ROLE).find(([, code]) => code === role);
  return (known?.[0] as keyof typeof ROLE | undefined) ?? 'unknown';
}

export const USER_STATUS = { active: 1, banned: 2 } as const;

export type UserStatusWord = 'active' | 'banned' | 'deleted' | 'unknown';

const STATUS: Readonly<Record<number, { word: UserStatusWord; tone: Tone }>> = {
  1: { word: 'active', tone: 'ok' },
  2: { word: 'banned', tone: 'fault' },
};

/** Returns true when an account of this status can be enabled: 3 of older installations cannot. */
export function canBeEnabled(status: number): boolean {
  return status !== USER_STATUS.active && status !== 3;
}

/** A deregistered account is that before it is anything else. */
export function userStatus(user: Pick<User, 'status' | 'DeletedAt'>): { word: UserStatusWord; tone: Tone } {
  if (user.DeletedAt !== null) return { word: 'deleted', tone: 'neutral' };
  return STATUS[user.status] ?? { word: 'unknown', tone: 'neutral' };
}
