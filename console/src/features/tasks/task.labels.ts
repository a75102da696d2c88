import type { Tone } from '../../shared/feedback/status-tag';

export const ACTIONS = ['MUSIC', 'LYRICS'] as const;
export type TaskAction = (typeof ACTIONS)[number];

/** Names of those who do the work, the same in every language. */
export const PLATFORM_NAMES: Readonly<Record<string, string>> = { suno: 'Suno' };

/** Status of a task; empty = being submitted to the provider. */
export const STATUS_TONES = {
  sending: 'neutral',
  NOT_START: 'neutral',
  SUBMITTED: 'notice',
  QUEUED: 'warning',
  IN_PROGRESS: 'accent',
  SUCCESS: 'ok',
  FAILURE: 'fault',
  UNKNOWN: 'neutral',
} as const satisfies Readonly<Record<string, Tone>>;
export type TaskStatus = keyof typeof STATUS_TONES;

export const FAILURE = 'FAILURE';

export const isAction = (text: string): text is TaskAction => ACTIONS.some((known) => known === text);

/** The word for a status; undefined when there is none. */
export function taskStatus(text: string): TaskStatus | undefined {
  if (text === '') return 'sending';
  return text !== 'sending' && Object.hasOwn(STATUS_TONES, text) ? (text as TaskStatus) : undefined;
}
