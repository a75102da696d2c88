import ReceiptOutlined from '@mui/icons-material/ReceiptOutlined';
import Paper from '@mui/material/Paper';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyDialog } from '../../shared/feedback/lazy-dialog';
import { Empty } from '../../shared/feedback/empty';
import { isTradeNumber } from '../../shared/money/order';
import { PageHeader } from '../../shared/page/page-header';
import { useOpenParameter } from '../../shared/page/use-open-parameter';
import { DataTable } from '../../shared/table/data-table';
import { useListState } from '../../shared/table/use-list-state';
import { useNow } from '../../shared/value/use-now';
import { ordersQuery, type OrderFilters } from './api';
import { useAdminOrderColumns } from './order-columns';
import { rangeStart } from '../../shared/format/timestamp';
import { ORDER_FILTERS, OrdersToolbar, type OrderFilterName } from './orders-toolbar';

const OrderDrawer = lazyDialog(
  async () => (await import('./order-drawer')).OrderDrawer,
  ({ tradeNo }) => tradeNo !== null,
);

/** Payment orders of all accounts; administrators. */
export function OrdersPage() {
  const { t } = useTranslation();
  const list = useListState(ORDER_FILTERS);
  const minute = Math.floor(useNow() / 60) * 60;
  const filters = useMemo(() => serverFilters(list.filters, minute), [list.filters, minute]);
  const query = useQuery(ordersQuery({ filters, page: list.page, pageSize: list.pageSize }));
  const columns = useAdminOrderColumns();
  const [opened, open, close] = useOpenParameter('open');
  return (
    <>
      <PageHeader title={t('orders.title')} explanation={t('orders.lead')} />
      <Paper variant="outlined" sx={{ overflow: 'hidden' }}>
        <OrdersToolbar list={list} columns={columns} onRefresh={() => void query.refetch()} />
        <DataTable
          name="orders"
          label={t('orders.listLabel')}
          columns={columns}
          query={query}
          rowId={(order) => order.id}
          rowName={(order) => order.trade_no}
          onOpen={(order) => open(order.trade_no)}
          paging={list}
          empty={
            <Empty
              icon={<ReceiptOutlined />}
              title={t('orders.empty.title')}
              explanation={t('orders.empty.text')}
            />
          }
          failedTitle={t('orders.loadFailed')}
        />
      </Paper>
      <OrderDrawer tradeNo={isTradeNumber(opened) ? opened : null} onClose={close} />
    </>
  );
}

function serverFilters(
  { keyword, status, provider, user, range }: Readonly<Record<OrderFilterName, string>>,
  minute: number,
): OrderFilters {
  return {
    keyword,
    status,
    provider,
    user_id: /^\d+$/.test(user) ? user : '',
    start_timestamp: rangeStart(range, minute),
  };
}
