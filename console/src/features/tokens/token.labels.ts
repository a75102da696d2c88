import type { Tone } from '../../shared/feedback/status-tag';

export const TOKEN_STATUS = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const;

export type TokenStatusWord = keyof typeof TOKEN_STATUS | 'unknown';

const STATUS: Readonly<Record<number, { word: TokenStatusWord; tone: Tone }>> = {
  1: { word: 'enabled', tone: 'ok' },
  2: { word: 'disabled', tone: 'neutral' },
  3: { word: 'expired', tone: 'warning' },
  4: { word: 'exhausted', tone: 'warning' },
};

export function tokenStatus(status: number): { word: TokenStatusWord; tone: Tone } {
  return STATUS[status] ?? { word: 'unknown', tone: 'neutral' };
}
