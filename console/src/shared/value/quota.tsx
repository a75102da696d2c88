import { useTranslation } from 'react-i18next';
import { Tip } from '../feedback/tip';
import { dollarsOfQuota, exactMoney, fixedMoney } from '../format/money';
import { exactQuota, formatQuota, formatQuotaDelta, type QuotaSettings } from '../format/quota';
import { useQuotaSettings } from '../session/status';

interface QuotaProps {
  value: number;
  /** A difference, shown with its sign. */
  signed?: boolean;
  /** Decimals of every row of a column; left out, small amounts get as many as they need. */
  digits?: number;
}

/** Money as the settings want it, the exact amount on hover. */
export function Quota({ value, signed = false, digits }: QuotaProps) {
  const { t } = useTranslation();
  const settings = useQuotaSettings();
  const quota = t('common.quotaExact', { quota: exactQuota(value) });
  const exact = settings.inCurrency ? `${exactMoney(dollarsOfQuota(value, settings))} · ${quota}` : quota;
  return (
    <Tip title={exact}>
      <span style={{ whiteSpace: 'nowrap' }}>
        {digits === undefined
          ? signed
            ? formatQuotaDelta(value, settings)
            : formatQuota(value, settings)
          : columnText(value, { signed, digits, settings })}
      </span>
    </Tip>
  );
}

function columnText(
  value: number,
  { signed, digits, settings }: { signed: boolean; digits: number; settings: QuotaSettings },
): string {
  const sign = signed && value > 0 ? '+' : '';
  if (!settings.inCurrency) return `${sign}${exactQuota(value)}`;
  return `${sign}${fixedMoney(dollarsOfQuota(value, settings), digits)}`;
}
