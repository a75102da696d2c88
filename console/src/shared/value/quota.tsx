import { useTranslation } from 'react-i18next';
import { Tip } from '../feedback/tip';
import { exactQuota, formatQuota, formatQuotaDelta } from '../format/quota';
import { useQuotaSettings } from '../session/status';

interface QuotaProps {
  value: number;
  /** A difference, shown with its sign. */
  signed?: boolean;
}

/** Money as the settings want it, the exact integer on hover. */
export function Quota({ value, signed = false }: QuotaProps) {
  const { t } = useTranslation();
  const settings = useQuotaSettings();
  return (
    <Tip title={t('common.quotaExact', { quota: exactQuota(value) })}>
      <span style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
        {signed ? formatQuotaDelta(value, settings) : formatQuota(value, settings)}
      </span>
    </Tip>
  );
}
