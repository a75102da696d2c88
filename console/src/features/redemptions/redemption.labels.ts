import type { Tone } from '../../shared/feedback/status-tag';
import type { Redemption } from './api';

export const REDEMPTION_STATUS = { unused: 1, disabled: 2, used: 3 } as const;

export type RedemptionWord = 'unused' | 'disabled' | 'used' | 'expired' | 'unknown';

const TONES: Readonly<Record<RedemptionWord, Tone>> = {
  unused: 'ok',
  disabled: 'fault',
  used: 'neutral',
  expired: 'warning',
  unknown: 'neutral',
};

const WORDS: Readonly<Record<number, RedemptionWord>> = { 1: 'unused', 2: 'disabled', 3: 'used' };

/** @param nowSeconds  an unused code whose time is over counts as expired, whatever its stored state */
export function redemptionStatus(
  { status, expired_time: expiry }: Pick<Redemption, 'status' | 'expired_time'>,
  nowSeconds: number,
): { word: RedemptionWord; tone: Tone } {
  const stored = WORDS[status] ?? 'unknown';
  const word = stored === 'unused' && expiry > 0 && expiry <= nowSeconds ? 'expired' : stored;
  return { word, tone: TONES[word] };
}

/** Only unused codes change. */
export function isEditable({ status }: Pick<Redemption, 'status'>): boolean {
  return status === REDEMPTION_STATUS.unused;
}

/** Empty when the server cannot open the stored code: it was sealed under another CRYPTO_SECRET. */
export function isReadable({ key }: Pick<Redemption, 'key'>): boolean {
  return key !== '';
}
