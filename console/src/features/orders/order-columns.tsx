import Link from '@mui/material/Link';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { useOrderColumns } from '../../shared/money/order-columns';
import type { Column } from '../../shared/table/columns';
import type { AdminOrder } from './api';

/** What an administrator sees of everyone's orders: also whose they are, and their number at the payment provider. */
export function useAdminOrderColumns(): Column<AdminOrder>[] {
  const { t } = useTranslation();
  const columns = useOrderColumns<AdminOrder>({
    id: 'user',
    label: t('orders.column.user'),
    card: 'line',
    render: (order) => (
      <Link component={RouterLink} to={`/user/edit/${order.user_id}`}>
        {order.username === '' ? `#${order.user_id}` : order.username}
      </Link>
    ),
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
