import type { Tone } from '../../shared/feedback/status-tag';

export const LOG_TYPE = { topUp: 1, consumption: 2, administration: 3, system: 4, error: 5 } as const;

export type LogTypeWord = keyof typeof LOG_TYPE | 'unknown';

const TYPES: Readonly<Record<number, { word: LogTypeWord; tone: Tone }>> = {
  1: { word: 'topUp', tone: 'ok' },
  2: { word: 'consumption', tone: 'accent' },
  3: { word: 'administration', tone: 'warning' },
  4: { word: 'system', tone: 'notice' },
  5: { word: 'error', tone: 'fault' },
};

/** Calls of models, answered or failed; every other line is an event. */
export const isCall = ({ type }: { readonly type: number }): boolean =>
  type === LOG_TYPE.consumption || type === LOG_TYPE.error;

export function logType(type: number): { word: LogTypeWord; tone: Tone } {
  return TYPES[type] ?? { word: 'unknown', tone: 'neutral' };
}

/** Types in the order they are offered as filters. */
export const LOG_TYPES = Object.values(LOG_TYPE).map(String);
