import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { isAuditAction } from '../../shared/audit-actions/audit-action';
import { formatQuota } from '../../shared/format/quota';
import { formatSeconds } from '../../shared/format/timestamp';
import { useShowsRatios } from '../../shared/money/ratios';
import { useMethodName } from '../../shared/money/use-method-name';
import { useQuotaSettings } from '../../shared/session/status';

/** Formatters for the texts of the log. */
export interface LogTexts {
  readonly t: TFunction;
  money(quota: number): string;
  /** Quota of one dollar. */
  readonly quotaPerUnit: number;
  /** Prices are written as ratios instead of money. */
  readonly ratios: boolean;
  moment(seconds: number): string;
  /** Name of a way to pay. */
  method(type: string): string;
  /** Name of an act; undefined for one of a newer server. */
  action(code: string): string | undefined;
  /** Name of what was changed; options and the fields of channels are called as they are stored. */
  member(name: string): string;
}

const ACCOUNT_FIELDS = ['username', 'displayName', 'group', 'password'] as const;

export function useLogTexts(): LogTexts {
  const { t, i18n } = useTranslation();
  const settings = useQuotaSettings();
  const method = useMethodName();
  const ratios = useShowsRatios();
  return useMemo(
    () => ({
      t,
      money: (quota) => formatQuota(quota, settings),
      quotaPerUnit: settings.quotaPerUnit,
      ratios,
      moment: formatSeconds,
      method,
      action: (code) => (isAuditAction(code, i18n) ? t(`audit.action.${code}`) : undefined),
      member: (name) => {
        const field = ACCOUNT_FIELDS.find((known) => known === name);
        return field === undefined ? name : t(`logs.event.member.${field}`);
      },
    }),
    [t, i18n, settings, method, ratios],
  );
}
