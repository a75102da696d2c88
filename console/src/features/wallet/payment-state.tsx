import ScheduleRounded from '@mui/icons-material/ScheduleRounded';
import Alert, { type AlertColor } from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Failed } from '../../shared/feedback/failed';
import { isOrderWord, moneyText, type Order, type OrderWord } from '../../shared/money/order';
import { Quota } from '../../shared/value/quota';
import { ownOrderQuery } from './api';

const ASK_AGAIN_MS = 3_000;

const SEVERITY: Readonly<Record<OrderWord, AlertColor>> = {
  pending: 'info',
  success: 'success',
  refunded: 'warning',
  disputed: 'warning',
  expired: 'warning',
  failed: 'error',
  mismatch: 'warning',
};

interface PaymentStateProps {
  tradeNo: string;
  /** The payer came back by the payment page's way out. */
  cancelled: boolean;
  onClose: () => void;
}

/**
 * State shown to a payer who returns from the payment page. The address is not trusted: the server decides
 * whether the order was paid, and is polled until it is.
 */
export function PaymentState({ tradeNo, cancelled, onClose }: PaymentStateProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const query = useQuery({
    ...ownOrderQuery(tradeNo),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? ASK_AGAIN_MS : false),
  });
  const order = query.data;
  const paid = order?.status === 'success';
  useEffect(() => {
    if (!paid) return;
    void client.invalidateQueries({ queryKey: ['self'] });
    void client.invalidateQueries({ queryKey: ['wallet', 'ledger'] });
    void client.invalidateQueries({ queryKey: ['wallet', 'orders'] });
    void client.invalidateQueries({ queryKey: ['wallet', 'info'] });
  }, [paid, client]);

  // The list of orders below may have requested it.
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' });
  }, []);

  return (
    <Box
      component="section"
      ref={place}
      aria-label={t('wallet.payment.label')}
      aria-live="polite"
      sx={{ scrollMarginTop: 72 }}
    >
      {order !== undefined ? (
        <State order={order} cancelled={cancelled} onClose={onClose} />
      ) : query.isError ? (
        <Failed
          title={t('wallet.payment.unknown')}
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <Alert severity="info" icon={<ScheduleRounded fontSize="inherit" />}>
          {t('common.loading')}
        </Alert>
      )}
    </Box>
  );
}

function State({ order, cancelled, onClose }: { order: Order; cancelled: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const word = isOrderWord(order.status) ? order.status : 'pending';
  const isWaiting = word === 'pending' && !cancelled;
  return (
    <Alert
      severity={word === 'pending' && cancelled ? 'warning' : SEVERITY[word]}
      icon={isWaiting ? <ScheduleRounded fontSize="inherit" /> : undefined}
      sx={{ alignItems: 'flex-start', overflowWrap: 'anywhere' }}
      action={
        <Button color="inherit" size="small" onClick={onClose}>
          {t('common.close')}
        </Button>
      }
    >
      <AlertTitle sx={{ fontSize: 14, mb: 0.25 }}>
        {word === 'pending' && cancelled ? t('wallet.payment.cancelled') : t(`wallet.payment.${word}`)}
      </AlertTitle>
      {word === 'pending' && cancelled ? t('wallet.payment.cancelledHelp') : t(`wallet.payment.${word}Help`)}
      <Box sx={{ mt: 0.75, fontSize: 13, display: 'flex', flexWrap: 'wrap', columnGap: 2 }}>
        <span>
          {t('money.order.quota')}: <Quota value={order.quota} />
        </span>
        <span>
          {t('money.order.sum')}: {moneyText(order.money_text, order.currency)}
        </span>
        <span>
          {t('money.order.tradeNo')}: {order.trade_no}
        </span>
      </Box>
    </Alert>
  );
}
