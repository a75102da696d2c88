import { useTranslation } from 'react-i18next';
import { AccountLink } from '../../shared/accounts/account-link';
import { useOrderColumns } from '../../shared/money/order-columns';
import type { Column } from '../../shared/table/columns';
import type { AdminOrder } from './api';

/** Columns for administrators: also the account, and the number at the payment provider. */
export function useAdminOrderColumns(): Column<AdminOrder>[] {
  const { t } = useTranslation();
  const columns = useOrderColumns<AdminOrder>({
    id: 'user',
    label: t('orders.column.user'),
    card: 'line',
    render: (order) => <AccountLink id={order.user_id} name={order.username} />,
  });
  return [
    ...columns,
    {
      id: 'reference',
      label: t('orders.column.reference'),
      hiddenAtFirst: true,
      render: (order) => (order.provider_trade_no === '' ? '–' : order.provider_trade_no),
    },
  ];
}
