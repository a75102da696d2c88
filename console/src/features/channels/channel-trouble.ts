import type { Channel, ChannelHealth } from './api';

export type HealthOfChannel = ChannelHealth['channels'][number];

/** From this share of failed attempts on a channel counts as failing, from the second on as broken. */
const FAILING_SHARE = 0.1;
const BROKEN_SHARE = 0.5;

export interface ChannelTrouble {
  readonly attempts: number;
  readonly failures: number;
  /** 0 to 1. */
  readonly share: number;
  readonly level: 'ok' | 'failing' | 'broken';
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

type Attempts = Pick<HealthOfChannel, 'attempts' | 'failures'> & {
  readonly last_failure?: { readonly at: number; readonly reason: string } | null;
};

/** A provider refused the key: failures that a working key ends. */
const KEY_REFUSED = 'upstream-key-refused';

/** Returns true when the provider refused the key and a later test succeeded: the key was replaced, or accepted again. */
export const isKeyRepaired = (line: Attempts | undefined, repairedAt: number): boolean =>
  line?.last_failure?.reason === KEY_REFUSED && line.last_failure.at < repairedAt;

/**
 * Attempts of the last 24 hours, and whether too many of them failed.
 * @param repairedAt  seconds of the last test that succeeded: a refused key before it counts no longer
 */
export function troubleOf(line: Attempts | undefined, repairedAt = 0): ChannelTrouble {
  const attempts = sum(line?.attempts ?? []);
  const failures = sum(line?.failures ?? []);
  const share = attempts === 0 ? 0 : failures / attempts;
  if (isKeyRepaired(line, repairedAt)) return { attempts, failures, share, level: 'ok' };
  const level = share >= BROKEN_SHARE ? 'broken' : share >= FAILING_SHARE ? 'failing' : 'ok';
  return { attempts, failures, share, level };
}

/** Moment of the last test in seconds, when it succeeded; 0 = it failed, or there was none. */
export const repairedAt = (channel: Pick<Channel, 'test_time' | 'test_failure'>): number =>
  channel.test_failure === '' ? channel.test_time : 0;

/** A share as people read it: `30%`, `0.4%`. */
export function formatShare(share: number): string {
  const percent = share * 100;
  return `${percent > 0 && percent < 10 ? percent.toFixed(1) : String(Math.round(percent))}%`;
}
