import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { AccountLink } from '../../shared/accounts/account-link';
import { ReadingDrawer } from '../../shared/dialog/reading-drawer';
import { Failed } from '../../shared/feedback/failed';
import { Loading } from '../../shared/feedback/loading';
import { formatSeconds } from '../../shared/format/timestamp';
import { moneyText } from '../../shared/money/order';
import { OrderStatus } from '../../shared/money/order-status';
import { useMethodName } from '../../shared/money/use-method-name';
import { CopyableText } from '../../shared/value/copyable';
import { Facts } from '../../shared/value/facts';
import { Quota } from '../../shared/value/quota';
import { orderQuery, type AdminOrderDetail } from './api';
import { OrderActions } from './order-actions';
import { isOrderEvent, readEventDetail } from './order.labels';

interface OrderDrawerProps {
  /** Null = closed. */
  tradeNo: string | null;
  onClose: () => void;
}

/** One order and its events. */
export function OrderDrawer({ tradeNo, onClose }: OrderDrawerProps) {
  const { t } = useTranslation();
  return (
    <ReadingDrawer open={tradeNo !== null} onClose={onClose} title={t('orders.drawer.title')}>
      {tradeNo !== null && <OrderBody tradeNo={tradeNo} />}
    </ReadingDrawer>
  );
}

function OrderBody({ tradeNo }: { tradeNo: string }) {
  const { t } = useTranslation();
  const { data: order, error, isError, refetch } = useQuery(orderQuery(tradeNo));
  if (order === undefined) {
    return isError ? (
      <Failed title={t('orders.drawer.notFound')} error={error} onRetry={() => void refetch()} />
    ) : (
      <Loading />
    );
  }
  return (
    <Box sx={{ px: 3, py: 2.5, display: 'grid', gap: 3, overflowY: 'auto', minWidth: 0 }}>
      <OrderFacts order={order} />
      <OrderHistory order={order} />
      <OrderActions order={order} />
    </Box>
  );
}

function OrderFacts({ order }: { order: AdminOrderDetail }) {
  const { t } = useTranslation();
  const methodName = useMethodName();
  return (
    <Facts
      facts={[
        [t('money.order.tradeNo'), <CopyableText key="number" text={order.trade_no} />],
        [t('money.order.status'), <OrderStatus key="status" status={order.status} />],
        [
          t('orders.column.user'),
          <AccountLink key="user" id={order.user_id} text={`${order.username} #${order.user_id}`.trim()} />,
        ],
        [t('money.order.quota'), <Quota key="quota" value={order.quota} />],
        [t('money.order.sum'), moneyText(order.money_text, order.currency)],
        [t('money.order.method'), methodName(order.payment_method)],
        [t('money.order.created'), formatSeconds(order.create_time)],
        order.complete_time > 0 && [t('money.order.completed'), formatSeconds(order.complete_time)],
        order.provider_trade_no !== '' && [
          t('orders.column.reference'),
          <CopyableText key="reference" text={order.provider_trade_no} />,
        ],
        order.completed_by > 0 && [
          t('orders.drawer.completedBy'),
          <AccountLink key="completed" id={order.completed_by} />,
        ],
      ]}
    />
  );
}

function detailText(kind: string, text: string, t: TFunction): string {
  const detail = readEventDetail(kind, text);
  if (detail.word === 'said') return detail.said;
  if (detail.word === 'foreign')
    return t('orders.detail.foreign', { ...detail, what: t(`orders.detail.part.${detail.what}`) });
  return t(`orders.detail.${detail.word}`, detail);
}

function OrderHistory({ order }: { order: AdminOrderDetail }) {
  const { t } = useTranslation();
  return (
    <section aria-labelledby="order-events">
      <Typography id="order-events" variant="subtitle2" component="h3" sx={{ mb: 1 }}>
        {t('orders.drawer.events')}
      </Typography>
      <Box component="ol" sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1.25 }}>
        {order.events.map((event) => (
          <Box
            component="li"
            key={`${event.created_at}-${event.kind}-${event.detail}`}
            sx={{ borderLeft: 2, borderColor: 'divider', pl: 1.5, fontSize: 13 }}
          >
            <Box sx={{ fontWeight: 550 }}>
              {isOrderEvent(event.kind) ? t(`orders.event.${event.kind}`) : event.kind}
              {event.actor_id > 0 && ` · #${event.actor_id}`}
            </Box>
            <Box sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
              {[formatSeconds(event.created_at), detailText(event.kind, event.detail, t)]
                .filter((part) => part !== '')
                .join(' · ')}
            </Box>
          </Box>
        ))}
      </Box>
    </section>
  );
}
