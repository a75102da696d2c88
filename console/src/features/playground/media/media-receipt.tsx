import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatMilliseconds } from '../../../shared/format/duration';
import { dollarsOfQuota, exactMoney } from '../../../shared/format/money';
import { useQuotaSettings } from '../../../shared/session/status';
import { receiptQuery } from '../chat/use-receipts';

/** Time and money of an image or a speech, with the way to the explanation. */
export function MediaReceipt({ requestId, totalMs }: { requestId: string; totalMs: number }) {
  const { t } = useTranslation();
  const settings = useQuotaSettings();
  const { data, isPending } = useQuery({ ...receiptQuery(requestId), enabled: requestId !== '' });
  const money =
    data !== undefined
      ? exactMoney(dollarsOfQuota(data.quota, settings))
      : t(isPending && requestId !== '' ? 'playground.receipt.pending' : 'playground.receipt.none');
  return (
    <Box
      role="group"
      aria-label={t('playground.receipt.name')}
      sx={{ fontSize: 12.5, color: 'text.secondary' }}
    >
      {formatMilliseconds(totalMs)} · {money}
      {data !== undefined && (
        <>
          {' · '}
          <Link to={`/log?open=${encodeURIComponent(requestId)}`}>{t('playground.receipt.why')}</Link>
        </>
      )}
    </Box>
  );
}
