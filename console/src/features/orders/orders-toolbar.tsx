import { useTranslation } from 'react-i18next';
import { isRange, RANGE_NAMES } from '../../shared/format/timestamp';
import { isOrderFilter, ORDER_FILTER_WORDS } from '../../shared/money/order';
import { ColumnChooser } from '../../shared/table/column-chooser';
import type { Column } from '../../shared/table/columns';
import { FilterSelect } from '../../shared/table/filter-select';
import { ListToolbar } from '../../shared/table/list-toolbar';
import { SearchBox } from '../../shared/table/search-box';
import { boundFilter, filterChips, type ListState } from '../../shared/table/use-list-state';
import type { AdminOrder } from './api';
import { PROVIDERS } from './order.labels';

/** Filters in the address, each with the text that means "not filtered". */
export const ORDER_FILTERS = { keyword: '', status: '', provider: '', user: '', range: '' } as const;
export type OrderFilterName = keyof typeof ORDER_FILTERS;

interface OrdersToolbarProps {
  list: ListState<OrderFilterName>;
  columns: readonly Column<AdminOrder>[];
  onRefresh: () => void;
}

export function OrdersToolbar({ list, columns, onRefresh }: OrdersToolbarProps) {
  const { t } = useTranslation();
  const { filters } = list;
  const shown = (name: OrderFilterName): string => {
    const value = filters[name];
    if (name === 'status' && isOrderFilter(value)) return t(`money.status.${value}`);
    if (name === 'range' && isRange(value)) return t(`orders.range.${value}`);
    return value;
  };
  return (
    <ListToolbar
      search={<SearchBox {...boundFilter(list, 'keyword')} label={t('orders.filter.keyword')} width={280} />}
      filters={
        <>
          <SearchBox {...boundFilter(list, 'user')} label={t('orders.filter.user')} width={130} />
          <FilterSelect
            {...boundFilter(list, 'status')}
            label={t('money.order.status')}
            all={t('orders.filter.allStatuses')}
            values={ORDER_FILTER_WORDS}
            text={(status) => t(`money.status.${status}`)}
          />
          <FilterSelect
            {...boundFilter(list, 'provider')}
            label={t('orders.filter.provider')}
            all={t('orders.filter.allProviders')}
            values={PROVIDERS}
          />
          <FilterSelect
            {...boundFilter(list, 'range')}
            label={t('orders.filter.range')}
            all={t('orders.range.all')}
            values={RANGE_NAMES}
            text={(name) => t(`orders.range.${name}`)}
          />
        </>
      }
      {...filterChips(list, (name) => t(`orders.chip.${name}`, { value: shown(name) }))}
      onRefresh={onRefresh}
      tools={<ColumnChooser table="orders" columns={columns} />}
    />
  );
}
