import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { Empty } from '../../shared/feedback/empty';
import { useListState } from '../../shared/table/use-list-state';
import { ownOrdersQuery } from './api';
import { ORDER_FILTERS, OrderList } from './order-list';

/** The caller's own payment orders. */
export function OwnOrders() {
  const { t } = useTranslation();
  const list = useListState(ORDER_FILTERS);
  const [, setSearch] = useSearchParams();
  const { status } = list.filters;
  const query = useQuery(ownOrdersQuery({ status, page: list.page, pageSize: list.pageSize }));
  return (
    <OrderList
      name="own-orders"
      list={list}
      query={query}
      onOpen={(order) => setSearch({ list: 'orders', out_trade_no: order.trade_no })}
      empty={<Empty title={t('wallet.orders.empty')} explanation={t('wallet.orders.emptyHelp')} />}
    />
  );
}
