import { useTranslation } from 'react-i18next';
import { MONO } from '../format/mono';
import type { Column } from '../table/columns';
import { Moment } from '../value/moment';
import { Quota } from '../value/quota';
import { moneyText, type Order } from './order';
import { OrderStatus } from './order-status';
import { useMethodName } from './use-method-name';

/** Columns of every list of payment orders; `about` stand between what an order is and what it was over. */
export function useOrderColumns<Row extends Order>(...about: Column<Row>[]): Column<Row>[] {
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
    ...about,
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
  ];
}
