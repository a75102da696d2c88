import CloseRounded from '@mui/icons-material/CloseRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
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
import { CompleteDialog } from './complete-dialog';
import { isOrderEvent } from './order.labels';

interface OrderDrawerProps {
  /** Null = closed. */
  tradeNo: string | null;
  onClose: () => void;
}

/** One order and its story. */
export function OrderDrawer({ tradeNo, onClose }: OrderDrawerProps) {
  const { t } = useTranslation();
  return (
    <Drawer
      anchor="right"
      open={tradeNo !== null}
      onClose={onClose}
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-modal': true,
          'aria-labelledby': 'order-drawer-title',
          sx: { width: { xs: '100%', sm: 560 }, maxWidth: '100%' },
        },
      }}
    >
      <Box
        sx={{
          display: 'flex',
          gap: 2,
          px: 3,
          py: 2,
          borderBottom: 1,
          borderColor: 'divider',
          alignItems: 'center',
        }}
      >
        <Typography id="order-drawer-title" variant="h2" sx={{ flex: 1 }}>
          {t('orders.drawer.title')}
        </Typography>
        <IconButton aria-label={t('common.close')} onClick={onClose} size="small" edge="end">
          <CloseRounded />
        </IconButton>
      </Box>
      {tradeNo !== null && <OrderBody tradeNo={tradeNo} />}
    </Drawer>
  );
}

function OrderBody({ tradeNo }: { tradeNo: string }) {
  const { t } = useTranslation();
  const { data: order, error, isError, refetch } = useQuery(orderQuery(tradeNo));
  const [completing, setCompleting] = useState(false);
  if (order === undefined) {
    return isError ? (
      <Failed title={t('orders.drawer.notFound')} error={error} onRetry={() => void refetch()} />
    ) : (
      <Loading />
    );
  }
  return (
    <>
      <Box sx={{ px: 3, py: 2.5, display: 'grid', gap: 3, overflowY: 'auto', minWidth: 0 }}>
        <OrderFacts order={order} />
        <Story order={order} />
        {order.status !== 'success' && (
          <Box sx={{ borderTop: 1, borderColor: 'divider', pt: 2 }}>
            <Typography variant="body2" color="textSecondary" sx={{ mb: 1.5 }}>
              {t('orders.complete.when')}
            </Typography>
            <Button variant="outlined" onClick={() => setCompleting(true)}>
              {t('orders.complete.open')}
            </Button>
          </Box>
        )}
      </Box>
      <CompleteDialog order={order} open={completing} onClose={() => setCompleting(false)} />
    </>
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
          <Link key="user" component={RouterLink} to={`/user/edit/${order.user_id}`}>
            {order.username} #{order.user_id}
          </Link>,
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
        order.completed_by > 0 && [t('orders.drawer.completedBy'), `#${order.completed_by}`],
      ]}
    />
  );
}

function Story({ order }: { order: AdminOrderDetail }) {
  const { t } = useTranslation();
  return (
    <section aria-labelledby="order-story">
      <Typography id="order-story" variant="subtitle2" component="h3" sx={{ mb: 1 }}>
        {t('orders.drawer.story')}
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
              {[formatSeconds(event.created_at), event.detail].filter((part) => part !== '').join(' · ')}
            </Box>
          </Box>
        ))}
      </Box>
    </section>
  );
}
