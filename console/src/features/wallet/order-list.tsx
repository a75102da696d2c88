import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Page } from '../../api/page';
import { isOrderWord, ORDER_STATUSES, type Order } from '../../shared/money/order';
import { useOrderColumns } from '../../shared/money/order-columns';
import { DataTable } from '../../shared/table/data-table';
import { FilterSelect } from '../../shared/table/filter-select';
import { ListToolbar } from '../../shared/table/list-toolbar';
import type { ListState } from '../../shared/table/use-list-state';

/** Filters of a list of orders, in the address. */
export const ORDER_FILTERS = { status: '' } as const;

interface OrderListProps<Row extends Order> {
  /** Under this name the browser keeps the chosen columns. */
  name: string;
  list: ListState<'status'>;
  query: UseQueryResult<Page<Row>>;
  empty: ReactNode;
  onOpen: (order: Row) => void;
}

/** Payment orders of one account, filtered by their status. */
export function OrderList<Row extends Order>({ name, list, query, empty, onOpen }: OrderListProps<Row>) {
  const { t } = useTranslation();
  const { status } = list.filters;
  const columns = useOrderColumns<Row>();
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
        name={name}
        label={t('wallet.list.orders')}
        columns={columns}
        query={query}
        rowId={(order) => order.id}
        rowName={(order) => order.trade_no}
        onOpen={onOpen}
        paging={list}
        empty={empty}
        failedTitle={t('wallet.orders.loadFailed')}
      />
    </>
  );
}
