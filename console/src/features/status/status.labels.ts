import type { TFunction } from 'i18next';
import type { Tone } from '../../shared/feedback/status-tag';
import type { Finding, Instance } from './api';

export const SEVERITY_TONES: Readonly<Record<Finding['severity'], Tone>> = {
  notice: 'notice',
  warning: 'warning',
  fault: 'fault',
};

export const STATE_TONES: Readonly<Record<Instance['state'], Tone>> = {
  up: 'ok',
  draining: 'notice',
  gone: 'fault',
  stopped: 'neutral',
};

const BYTES_PER_MEGABYTE = 1_048_576;

/** 84 MB, 1.2 GB. */
export function formatBytes(bytes: number): string {
  const megabytes = bytes / BYTES_PER_MEGABYTE;
  return megabytes < 1_024 ? `${Math.round(megabytes)} MB` : `${(megabytes / 1_024).toFixed(1)} GB`;
}

/** Degraded modes this console has words for; others are shown by their code. */
const KNOWN_MODES = [
  'safe-mode',
  'shared-store-away',
  'database-away',
  'database-read-only',
  'database-slow',
  'log-database-away',
  'spool-full',
  'settlements-waiting',
  'options-not-converged',
  'event-loop-slow',
  'clock-skewed',
  'shared-store-evicts',
] as const;

/** The name of a degraded mode in the reader's language. */
export function modeName(mode: string, t: TFunction): string {
  const known = KNOWN_MODES.find((each) => each === mode);
  return known === undefined ? mode : t(`status.mode.${known}`);
}
