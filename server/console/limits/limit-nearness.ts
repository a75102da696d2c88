import type { LimitEntity } from '../../base/limits/limit.entity.js';
import type { LimitUseNow } from '../../base/limits/limit-uses.js';
import { warnPercents } from './limit-rules.js';

/** Percent of the amount from which a limit without warnings is near. */
export const NEAR_PERCENT = 80;

/** Percent of the amount from which a limit is near: the first of its warnings. */
export const nearPercent = ({ warnAt }: Pick<LimitEntity, 'warnAt'>): number =>
  Math.min(...warnPercents(warnAt), warnPercents(warnAt).length === 0 ? NEAR_PERCENT : 100);

export const isNear = (
  limit: Pick<LimitEntity, 'warnAt'>,
  { used, held, amount }: Pick<LimitUseNow, 'used' | 'held' | 'amount'>,
): boolean => used + held > 0 && used + held >= (amount * nearPercent(limit)) / 100;
