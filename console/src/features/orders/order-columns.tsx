import Link from '@mui/material/Link';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { MONO } from '../../shared/format/mono';
import { moneyText } from '../../shared/money/order';
import { OrderStatus } from '../../shared/money/order-status';
import { useMethodName } from '../../shared/money/use-method-name';
import type { Column } from '../../shared/table/columns';
import { Moment } from '../../shared/value/moment';
import { Quota } from '../../shared/value/quota';
import type { AdminOrder } from './api';

export function useOrderColumns(): Column<AdminOrder>[] {
  const { t } = useTranslation();
  const methodName = useMethodName();
  return [
    {
      id: 'tradeNo',
      label: t('money.order.tradeNo'),
      choosable: false,
      card: 'title',
      render: (order) => (
        <span style={{ fontFamily: MONO, fontSize: 12.5, overflowWrap: 'anywhere' }}>{order.trade_no}</span>
      ),
    },
    {
      id: 'status',
      label: t('money.order.status'),
      card: 'aside',
      render: (order) => <OrderStatus status={order.status} />,
    },
    {
      id: 'user',
      label: t('orders.column.user'),
      card: 'line',
      render: (order) => (
        <Link component={RouterLink} to={`/user/edit/${order.user_id}`}>
          {order.username === '' ? `#${order.user_id}` : order.username}
        </Link>
      ),
    },
    {
      id: 'quota',
      label: t('money.order.quota'),
      align: 'right',
      card: 'line',
      render: (order) => <Quota value={order.quota} />,
    },
    {
      id: 'money',
      label: t('money.order.sum'),
      align: 'right',
      card: 'line',
      render: (order) => moneyText(order.money_text, order.currency),
    },
    {
      id: 'method',
      label: t('money.order.method'),
      card: 'line',
      render: (order) => methodName(order.payment_method),
    },
    {
      id: 'created',
      label: t('money.order.created'),
      card: 'line',
      render: (order) => <Moment seconds={order.create_time} />,
    },
    {
      id: 'completed',
      label: t('money.order.completed'),
      render: (order) => <Moment seconds={order.complete_time} never="–" />,
    },
    {
      id: 'reference',
      label: t('orders.column.reference'),
      hiddenAtFirst: true,
      render: (order) => (order.provider_trade_no === '' ? '–' : order.provider_trade_no),
    },
  ];
}
