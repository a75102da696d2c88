import { useTranslation } from 'react-i18next';
import { Tip } from '../feedback/tip';
import { formatQuota } from '../format/quota';
import { useQuotaSettings } from '../session/status';
import { Quota } from './quota';

interface UsedQuotaProps {
  /** Sum of charges. */
  charged: number;
  /** Sum of refunds of these charges; older instances leave it out. */
  refunded: number | undefined;
}

/** Charges less refunds, with both on hover: used and remaining quota add up to what the account received. */
export function UsedQuota({ charged, refunded = 0 }: UsedQuotaProps) {
  const { t } = useTranslation();
  const settings = useQuotaSettings();
  if (refunded === 0) return <Quota value={charged} />;
  const parts = { charged: formatQuota(charged, settings), refunded: formatQuota(refunded, settings) };
  return (
    <Tip title={t('common.chargedAndRefunded', parts)}>
      <span style={{ whiteSpace: 'nowrap' }}>{formatQuota(charged - refunded, settings)}</span>
    </Tip>
  );
}
