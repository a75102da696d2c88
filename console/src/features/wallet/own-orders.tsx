import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { Empty } from '../../shared/feedback/empty';
import { isOrderWord, ORDER_STATUSES, type Order } from '../../shared/money/order';
import { useOrderColumns } from '../../shared/money/order-columns';
import { DataTable } from '../../shared/table/data-table';
import { FilterSelect } from '../../shared/table/filter-select';
import { ListToolbar } from '../../shared/table/list-toolbar';
import { useListState } from '../../shared/table/use-list-state';
import { ownOrdersQuery } from './api';

const FILTERS = { status: '' } as const;

/** The caller's own payment orders. */
export function OwnOrders() {
  const { t } = useTranslation();
  const list = useListState(FILTERS);
  const [, setSearch] = useSearchParams();
  const { status } = list.filters;
  const query = useQuery(ownOrdersQuery({ status, page: list.page, pageSize: list.pageSize }));
  const columns = useOrderColumns<Order>();
  return (
    <>
      <ListToolbar
        filters={
          <FilterSelect
            value={status}
            label={t('money.order.status')}
            onChange={(next) => list.setFilters({ status: next })}
            all={t('wallet.orders.all')}
            values={ORDER_STATUSES}
            text={(each) => t(`money.status.${each}`)}
          />
        }
        chips={list.active.map((filter) => ({
          id: filter,
          label: isOrderWord(status) ? t(`money.status.${status}`) : status,
          onClear: list.clearFilters,
        }))}
        onRefresh={() => void query.refetch()}
      />
      <DataTable
        name="own-orders"
        label={t('wallet.list.orders')}
        columns={columns}
        query={query}
        rowId={(order) => order.id}
        rowName={(order) => order.trade_no}
        onOpen={(order) => setSearch({ list: 'orders', out_trade_no: order.trade_no })}
        paging={list}
        empty={<Empty title={t('wallet.orders.empty')} explanation={t('wallet.orders.emptyHelp')} />}
        failedTitle={t('wallet.orders.loadFailed')}
      />
    </>
  );
}
