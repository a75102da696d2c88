import type { Tone } from '../../shared/feedback/status-tag';

/** Actions on a image. */
export const ACTIONS = [
  'IMAGINE',
  'UPSCALE',
  'VARIATION',
  'HIGH_VARIATION',
  'LOW_VARIATION',
  'PAN',
  'DESCRIBE',
  'BLEND',
  'UPLOAD',
  'SHORTEN',
  'REROLL',
  'INPAINT',
  'ZOOM',
  'CUSTOM_ZOOM',
  'MODAL',
  'SWAP_FACE',
] as const;

/** Provider's answer to a submission. */
export const CODE_TONES = { 1: 'ok', 21: 'notice', 22: 'warning', 0: 'neutral' } as const satisfies Readonly<
  Record<number, Tone>
>;

/** Progress of a drawing. */
export const STATUS_TONES = {
  NOT_START: 'neutral',
  SUBMITTED: 'notice',
  IN_PROGRESS: 'accent',
  SUCCESS: 'ok',
  FAILURE: 'fault',
  MODAL: 'warning',
} as const satisfies Readonly<Record<string, Tone>>;

export const FAILURE = 'FAILURE';

export type DrawingAction = (typeof ACTIONS)[number];
export type SubmitCode = keyof typeof CODE_TONES;
export type DrawingStatus = keyof typeof STATUS_TONES;

export const isAction = (text: string): text is DrawingAction => ACTIONS.some((known) => known === text);
export const isSubmitCode = (code: number): code is SubmitCode => Object.hasOwn(CODE_TONES, code);
export const isStatus = (text: string): text is DrawingStatus => Object.hasOwn(STATUS_TONES, text);
