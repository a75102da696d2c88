import type { LimitValues } from '../../shared/limits/limit.schema';

interface Template {
  readonly id: 'moneyPerKey' | 'requestsPerAccount' | 'moneyPerChannel';
  readonly values: Partial<LimitValues>;
}

/** Limits that operators set first. @param quotaPerUnit  quota of one dollar */
export const templates = (quotaPerUnit: number): readonly Template[] => [
  {
    id: 'moneyPerKey',
    values: { scope: 'token', each: true, measure: 'quota', amount: 20 * quotaPerUnit, period: 'month' },
  },
  {
    id: 'requestsPerAccount',
    values: { scope: 'account', each: true, measure: 'requests', amount: 60, period: 'minute', warnAt: [] },
  },
  {
    id: 'moneyPerChannel',
    values: {
      scope: 'channel',
      action: 'pass_over',
      measure: 'quota',
      amount: 400 * quotaPerUnit,
      period: 'month',
    },
  },
];
